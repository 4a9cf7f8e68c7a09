package handoff.ring;

import handoff.mechanism.ForkJoin;
import handoff.mechanism.PekkoSystem;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;

/**
 * A ring with one of Scala's original actors per node, in the library's last release (2.11.12; the
 * post's was a 2.7), on a fork/join pool of k threads. That Scala is not Pekko's: it is a nested
 * jar with its own class loader.
 */
final class ScalaNodes extends RingNodes {
    private static final int TIMEOUT_S = 10;

    private final ForkJoinPool pool;
    private final ObjIntConsumer<Object> actors;
    private final AutoCloseable scheduler;

    ScalaNodes(RingSetup setup) {
        super(setup);
        pool = ForkJoin.open(setup.team(), setup.threads(), thread -> {});
        actors = open(setup.nodes());
        scheduler = (AutoCloseable) actors;
        CountDownLatch answers = new CountDownLatch(setup.nodes());
        for (int node = 0; node < setup.nodes(); node++) {
            actors.accept(answers, node);
        }
        PekkoSystem.awaitAnswers(answers);
    }

    @SuppressWarnings("unchecked")
    private ObjIntConsumer<Object> open(int nodes) {
        ObjIntConsumer<Object> visit = (message, node) -> {
            if (message instanceof Token token) {
                receive(node, token);
            } else {
                ((CountDownLatch) message).countDown();
            }
        };
        try {
            return (ObjIntConsumer<Object>) NestedJar.SCALA
                    .loadClass("handoff.ring.original.ScalaRing")
                    .getConstructor(ExecutorService.class, int.class, ObjIntConsumer.class)
                    .newInstance(pool, nodes, visit);
        } catch (ReflectiveOperationException reason) {
            throw new IllegalStateException(
                    "Scala's actors could not be opened: " + reason, reason);
        }
    }

    @Override
    void send(int node, Token token) {
        actors.accept(token, node);
    }

    /**
     * Stops the scheduler when no actor runs any more: for a late actor, the library would create
     * threads of its own.
     */
    @Override
    public void stop() {
        if (!pool.awaitQuiescence(TIMEOUT_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "Scala's actors did not end within " + TIMEOUT_S + " s.");
        }
        try {
            scheduler.close();
        } catch (Exception reason) {
            throw new IllegalStateException("Scala's scheduler did not end: " + reason, reason);
        }
        pool.shutdownNow();
    }
}
