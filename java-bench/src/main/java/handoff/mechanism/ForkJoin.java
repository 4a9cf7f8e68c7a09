package handoff.mechanism;

import handoff.measure.ThreadTeam;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A fork/join pool whose threads are all the team's, pinned and started before the clock. */
public final class ForkJoin {
    private ForkJoin() {}

    /**
     * @param started called on each of the pool's threads with its number, from 0
     */
    public static ForkJoinPool open(ThreadTeam team, int threads, IntConsumer started) {
        AtomicInteger next = new AtomicInteger();
        // Asynchronous mode: tasks that nobody joins, first in, first out.
        ForkJoinPool pool = new ForkJoinPool(
                threads,
                here -> new Worker(here, team, () -> started.accept(next.getAndIncrement())),
                (thread, reason) -> team.reportFailure(reason),
                true);
        startThreads(pool, team, threads);
        return pool;
    }

    /**
     * The pool starts a thread only for a task that finds none: as many tasks as threads, which all
     * wait for each other.
     */
    private static void startThreads(ForkJoinPool pool, ThreadTeam team, int threads) {
        CyclicBarrier all = new CyclicBarrier(threads);
        for (int i = 0; i < threads; i++) {
            pool.execute(() -> meet(all, team));
        }
    }

    private static void meet(CyclicBarrier all, ThreadTeam team) {
        try {
            all.await();
            team.ready();
        } catch (InterruptedException | BrokenBarrierException reason) {
            team.reportFailure(reason);
        }
    }

    private static final class Worker extends ForkJoinWorkerThread {
        private final ThreadTeam team;
        private final Runnable started;

        Worker(ForkJoinPool pool, ThreadTeam team, Runnable started) {
            super(pool);
            this.team = team;
            this.started = started;
        }

        @Override
        protected void onStart() {
            super.onStart();
            team.register();
            started.run();
        }
    }
}
