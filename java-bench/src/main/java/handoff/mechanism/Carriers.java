package handoff.mechanism;

import handoff.BadInput;
import handoff.measure.Crew;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Virtual threads on a given number of carriers. The JDK makes the carriers for the whole JVM; before each shot as many virtual threads
 * as there are carriers run at the same time, and each takes the carrier below it on duty, which pins it.
 */
public final class Carriers {
    public static final int SINCE = 21;
    private static final long PATIENCE_NS = 10_000_000_000L;

    private final ExecutorService executor;

    private Carriers(ExecutorService executor) {
        this.executor = executor;
    }

    /** @throws BadInput.NotOnThisMachine on a JDK without virtual threads */
    public static void check(String mechanism) {
        if (Runtime.version().feature() < SINCE) {
            throw new BadInput.NotOnThisMachine(mechanism + " needs JDK " + SINCE + " or newer; this is "
                + Runtime.version().feature() + ".");
        }
    }

    /** An executor that starts a virtual thread for each task, its carriers on duty and pinned. */
    public static ExecutorService open(Crew crew, int carriers) {
        // Read by the JDK when the JVM's first virtual thread starts; a JVM measures one point.
        System.setProperty("jdk.virtualThreadScheduler.parallelism", Integer.toString(carriers));
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", Integer.toString(carriers));
        Carriers opened = new Carriers(perTask());
        opened.muster(crew, carriers);
        return opened.executor;
    }

    private static ExecutorService perTask() {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException older) {
            throw new IllegalStateException("virtual threads need JDK " + SINCE, older);
        }
    }

    /** While as many as there are carriers spin, none is left for one more. They enlist in turn, for who waits may change its carrier. */
    private void muster(Crew crew, int carriers) {
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger enlisted = new AtomicInteger();
        for (int i = 0; i <= carriers; i++) {
            executor.execute(() -> {
                int place = arrived.getAndIncrement();
                if (place < carriers) {
                    spinUntil(() -> enlisted.get() == place && arrived.get() >= carriers, crew);
                    enlist(crew);
                    enlisted.incrementAndGet();
                    spinUntil(() -> enlisted.get() == carriers, crew);
                } else if (enlisted.get() < carriers) {
                    crew.failed(new IllegalStateException("The JVM has more carriers than " + carriers + "."));
                }
            });
        }
    }

    private static void spinUntil(BooleanSupplier reached, Crew crew) {
        long end = System.nanoTime() + PATIENCE_NS;
        while (!reached.getAsBoolean()) {
            Thread.onSpinWait();
            if (System.nanoTime() > end) {
                crew.failed(new IllegalStateException("The JVM has fewer carriers than workers."));
                return;
            }
        }
    }

    private static void enlist(Crew crew) {
        try {
            crew.enlist(carrier());
            crew.ready();
        } catch (RuntimeException reason) {
            crew.failed(reason);
        }
    }

    /** The platform thread below the calling virtual thread, whose description ends with its name. */
    private static Thread carrier() {
        String told = Thread.currentThread().toString();
        String name = told.substring(told.lastIndexOf('@') + 1);
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals(name)).findFirst()
            .orElseThrow(() -> new IllegalStateException("The carrier of " + told + " was not found."));
    }
}
