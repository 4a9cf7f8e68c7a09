package handoff.executors;

import handoff.BadInput;
import handoff.measure.Crew;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A virtual thread for each task, on n carriers. The JDK makes the carriers for the whole JVM; before each shot as many virtual threads
 * as there are carriers run at the same time, and each takes the carrier below it on duty, which pins it. A task counts itself in tallies
 * that all carriers share, with two atomic additions that no other mechanism has: virtual threads own nothing.
 */
final class VirtualThreads extends Submission {
    static final int SINCE = 21;
    private static final long PATIENCE_NS = 10_000_000_000L;

    private final ExecutorService executor;

    VirtualThreads(Scenario scenario) {
        super(scenario.job());
        // Read by the JDK when the JVM's first virtual thread starts; a JVM measures one point.
        String carriers = Integer.toString(scenario.threads());
        System.setProperty("jdk.virtualThreadScheduler.parallelism", carriers);
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", carriers);
        executor = perTask();
        muster(scenario);
    }

    /** @throws BadInput.NotOnThisMachine on a JDK without virtual threads */
    static void check() {
        if (Runtime.version().feature() < SINCE) {
            throw new BadInput.NotOnThisMachine("VIRTUAL_THREADS needs JDK " + SINCE + " or newer; this is " + Runtime.version().feature()
                + ".");
        }
    }

    private static ExecutorService perTask() {
        try {
            return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException older) {
            throw new IllegalStateException("virtual threads need JDK " + SINCE, older);
        }
    }

    /** While as many as there are carriers spin, none is left for one more. They enlist in turn, for who waits may change its carrier. */
    private void muster(Scenario scenario) {
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger enlisted = new AtomicInteger();
        for (int i = 0; i <= scenario.threads(); i++) {
            executor.execute(() -> {
                int place = arrived.getAndIncrement();
                if (place < scenario.threads()) {
                    spinUntil(() -> enlisted.get() == place && arrived.get() >= scenario.threads(), scenario.crew());
                    enlist(scenario.crew());
                    enlisted.incrementAndGet();
                    spinUntil(() -> enlisted.get() == scenario.threads(), scenario.crew());
                } else if (enlisted.get() < scenario.threads()) {
                    scenario.crew().failed(new IllegalStateException("The JVM has more carriers than " + scenario.threads() + "."));
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

    @Override
    void submit(Task task) {
        executor.execute(task);
    }

    @Override
    public void stop() {
        executor.shutdown();
    }
}
