package handoff.actors;

import handoff.mechanism.ForkJoin;
import handoff.mechanism.ThreadPool;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;

/** The list of all mechanisms: the post's three, the third as it was measured and as it was meant, and the one that it wished for. */
public enum Mechanism {
    WORK_STEALING(scenario -> new Pooled(scenario, ForkJoin.open(scenario.crew(), scenario.workers(), scenario.stage()::enlist))),
    THREAD_POOL(scenario -> new Pooled(scenario, pool(scenario))),
    DEDICATED_SCHEDULED(scenario -> new Dedicated(scenario, worker -> scheduled(scenario, worker))),
    DEDICATED_CORRECTED(scenario -> new Dedicated(scenario, worker -> single(scenario, worker))),
    SOFT_AFFINITY(SoftAffinityScheduler::new);

    private final Function<Scenario, Scheduler> opening;

    Mechanism(Function<Scenario, Scheduler> opening) {
        this.opening = opening;
    }

    Scheduler open(Scenario scenario) {
        return opening.apply(scenario);
    }

    private static ExecutorService pool(Scenario scenario) {
        ThreadPool pool = new ThreadPool(scenario.crew(), scenario.workers(), scenario.stage()::enlist);
        pool.prestartAllCoreThreads();
        return pool;
    }

    private static ExecutorService single(Scenario scenario, int worker) {
        ThreadPool pool = new ThreadPool(scenario.crew(), 1, first -> scenario.stage().enlist(worker));
        pool.prestartAllCoreThreads();
        return pool;
    }

    /** What {@code newSingleThreadScheduledExecutor} makes: its queue is a heap, ordered by time. */
    private static ExecutorService scheduled(Scenario scenario, int worker) {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1, body -> scenario.crew().newThread(() -> {
            scenario.stage().enlist(worker);
            scenario.crew().ready();
            body.run();
        }));
        pool.prestartAllCoreThreads();
        return pool;
    }
}
