package handoff.mechanism;

import handoff.measure.ThreadTeam;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * The pool of {@code Executors.newFixedThreadPool}, made of the team's threads; {@link
 * #prestartAllCoreThreads} starts them.
 */
public final class ThreadPool extends ThreadPoolExecutor {
    private final ThreadTeam team;

    /**
     * @param started called on each of the pool's threads with its number, from 0
     */
    public ThreadPool(ThreadTeam team, int threads, IntConsumer started) {
        this(team, threads, started, new AtomicInteger());
    }

    private ThreadPool(ThreadTeam team, int threads, IntConsumer started, AtomicInteger next) {
        super(
                threads,
                threads,
                0,
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                body -> team.newThread(() -> {
                    started.accept(next.getAndIncrement());
                    team.ready();
                    body.run();
                }));
        this.team = team;
    }

    /** Reports the failure of a task, which would silently cost the pool a thread. */
    @Override
    protected void afterExecute(Runnable task, Throwable reason) {
        if (reason != null) {
            team.reportFailure(reason);
        }
    }
}
