package handoff.mechanism;

import handoff.input.BadInput;
import handoff.measure.ThreadTeam;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Virtual threads on a given number of carriers. The JDK creates the carriers once per JVM. Before
 * each shot one virtual thread per carrier runs, all at the same time, and registers its carrier
 * with the team, which pins it.
 */
public final class Carriers {
    public static final int SINCE = 21;
    private static final long TIMEOUT_NS = 10_000_000_000L;

    private Carriers() {}

    /**
     * @throws BadInput.NotOnThisMachine on a JDK without virtual threads
     */
    public static void check(String mechanism) {
        if (Runtime.version().feature() < SINCE) {
            throw new BadInput.NotOnThisMachine("%s needs JDK %s or newer; this is %s."
                    .formatted(mechanism, SINCE, Runtime.version().feature()));
        }
    }

    /** Returns an executor that starts a virtual thread per task, on carriers that are pinned. */
    public static ExecutorService open(ThreadTeam team, int carriers) {
        // Read by the JDK when the JVM's first virtual thread starts; a JVM measures one point.
        System.setProperty("jdk.virtualThreadScheduler.parallelism", Integer.toString(carriers));
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", Integer.toString(carriers));
        ExecutorService executor = perTask();
        startCarriers(executor, team, carriers);
        return executor;
    }

    private static ExecutorService perTask() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException older) {
            throw new IllegalStateException("virtual threads need JDK " + SINCE, older);
        }
    }

    /**
     * Occupies every carrier with a spinning thread: one more thread that runs meanwhile proves
     * that there are too many carriers. The threads register one after the other, because a thread
     * that blocks may continue on another carrier.
     */
    private static void startCarriers(ExecutorService executor, ThreadTeam team, int carriers) {
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger registered = new AtomicInteger();
        for (int i = 0; i <= carriers; i++) {
            executor.execute(() -> {
                int place = arrived.getAndIncrement();
                if (place < carriers) {
                    spinUntil(() -> registered.get() == place && arrived.get() >= carriers, team);
                    register(team);
                    registered.incrementAndGet();
                    spinUntil(() -> registered.get() == carriers, team);
                } else if (registered.get() < carriers) {
                    team.reportFailure(new IllegalStateException(
                            "Expected " + carriers + " carriers, but the JVM has more."));
                }
            });
        }
    }

    private static void spinUntil(BooleanSupplier reached, ThreadTeam team) {
        long end = System.nanoTime() + TIMEOUT_NS;
        while (!reached.getAsBoolean()) {
            Thread.onSpinWait();
            if (System.nanoTime() > end) {
                team.reportFailure(
                        new IllegalStateException("The JVM has fewer carriers than workers."));
                return;
            }
        }
    }

    private static void register(ThreadTeam team) {
        try {
            team.register(carrier());
            team.ready();
        } catch (RuntimeException reason) {
            team.reportFailure(reason);
        }
    }

    /** Finds the calling virtual thread's carrier, whose name ends the thread's description. */
    private static Thread carrier() {
        String description = Thread.currentThread().toString();
        String name = description.substring(description.lastIndexOf('@') + 1);
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "The carrier of " + description + " was not found."));
    }
}
