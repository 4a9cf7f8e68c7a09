package handoff.actors;

import handoff.mechanism.ForkJoin;
import handoff.mechanism.Mechanism;
import handoff.mechanism.ThreadPool;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * All mechanisms: the post's three, the third as measured and as intended, and the one that the
 * post wished for, also with a slice of one message.
 */
public enum ActorsMechanism implements Mechanism {
    WORK_STEALING(setup -> new PooledScheduler(
            setup, ForkJoin.open(setup.team(), setup.workers(), setup.group()::register))),
    THREAD_POOL(setup ->
            new PooledScheduler(setup, pool(setup, setup.workers(), setup.group()::register))),
    DEDICATED_SCHEDULED(setup -> new DedicatedScheduler(setup, worker -> scheduled(setup, worker))),
    DEDICATED_CORRECTED(setup -> new DedicatedScheduler(
            setup, worker -> pool(setup, 1, first -> setup.group().register(worker)))),
    SOFT_AFFINITY(setup -> new SoftAffinityScheduler(setup, TimeSlice::new)),
    SOFT_AFFINITY_PER_MESSAGE(setup -> new SoftAffinityScheduler(setup, OneMessage::new));

    private final Function<ActorsSetup, Scheduler> opening;

    ActorsMechanism(Function<ActorsSetup, Scheduler> opening) {
        this.opening = opening;
    }

    Scheduler open(ActorsSetup setup) {
        return opening.apply(setup);
    }

    /** Returns all parameters: under any scheduler, each may affect a message's cost. */
    @Override
    public List<String> parameters() {
        return List.of(
                "workers",
                "perworker",
                "accesses",
                "bytes",
                "events",
                "generator",
                "route",
                "placement",
                "collector",
                "memory");
    }

    private static ExecutorService pool(ActorsSetup setup, int threads, IntConsumer started) {
        ThreadPool pool = new ThreadPool(setup.team(), threads, started);
        pool.prestartAllCoreThreads();
        return pool;
    }

    /**
     * Creates a {@code newSingleThreadScheduledExecutor}, whose queue is a heap ordered by time.
     */
    private static ExecutorService scheduled(ActorsSetup setup, int worker) {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(
                1,
                body -> setup.team().newThread(() -> {
                    setup.group().register(worker);
                    setup.team().ready();
                    body.run();
                }));
        pool.prestartAllCoreThreads();
        return pool;
    }
}
