package handoff.executors;

import handoff.mechanism.ThreadPool;
import java.util.concurrent.locks.LockSupport;

/**
 * The pool of {@code Executors.newFixedThreadPool}, with the producer of the post, which waits
 * while more than 40,000 tasks are queued.
 */
final class FixedThreadPool extends TaskProducer {
    private static final int MOST_QUEUED = 40_000;
    private static final int PARK_NS = 100;

    private final ThreadPool pool;

    FixedThreadPool(ExecutorsSetup setup) {
        super(setup.job());
        pool = new ThreadPool(setup.team(), setup.threads(), setup.job()::register);
        if (setup.start() == Start.BEFORE) {
            pool.prestartAllCoreThreads();
        }
    }

    @Override
    void submit(Task task) {
        while (pool.getQueue().size() > MOST_QUEUED) {
            LockSupport.parkNanos(PARK_NS);
        }
        pool.execute(task);
    }

    @Override
    public void stop() {
        pool.shutdownNow();
    }
}
