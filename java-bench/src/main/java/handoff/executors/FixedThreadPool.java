package handoff.executors;

import handoff.mechanism.ThreadPool;
import java.util.concurrent.locks.LockSupport;

/** What {@code Executors.newFixedThreadPool} makes, with the post's producer, who waits while 40,000 tasks are queued. */
final class FixedThreadPool extends Submission {
    private static final int MOST_QUEUED = 40_000;
    private static final int REST_NS = 100;

    private final ThreadPool pool;

    FixedThreadPool(Scenario scenario) {
        super(scenario.job());
        pool = new ThreadPool(scenario.crew(), scenario.threads(), scenario.job()::enlist);
        if (scenario.start() == Start.BEFORE) {
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
