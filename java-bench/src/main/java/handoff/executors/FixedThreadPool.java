package handoff.executors;

import handoff.measure.Crew;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What {@code Executors.newFixedThreadPool} makes, with the post's producer, who waits while 40,000 tasks are queued. */
final class FixedThreadPool extends Submission {
    private static final int MOST_QUEUED = 40_000;
    private static final int REST_NS = 100;

    private final ThreadPoolExecutor pool;

    FixedThreadPool(Scenario scenario) {
        super(scenario.job());
        AtomicInteger next = new AtomicInteger();
        pool = new Pool(scenario, body -> scenario.crew().newThread(() -> {
            scenario.job().enlist(next.getAndIncrement());
            scenario.crew().ready();
            body.run();
        }));
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

    /** A task that fails would silently cost the pool a thread; the crew remembers. */
    private static final class Pool extends ThreadPoolExecutor {
        private final Crew crew;

        Pool(Scenario scenario, ThreadFactory threads) {
            super(scenario.threads(), scenario.threads(), 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), threads);
            crew = scenario.crew();
        }

        @Override
        protected void afterExecute(Runnable task, Throwable reason) {
            if (reason != null) {
                crew.failed(reason);
            }
        }
    }
}
