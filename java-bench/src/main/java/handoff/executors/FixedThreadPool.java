package handoff.executors;

import handoff.mechanism.ThreadPool;
import java.util.concurrent.locks.LockSupport;

/**
 * What {@code Executors.newFixedThreadPool} makes, with the post's producer, who waits while 40,000
 * tasks are queued.
 */
final class FixedThreadPool extends TaskProducer {
    private static final int MOST_QUEUED = 40_000;
    private static final int REST_NS = 100;

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
            LockSupport.parkNanos(REST_NS);
        }
        pool.execute(task);
    }

    @Override
    public void stop() {
        pool.shutdownNow();
    }
}
