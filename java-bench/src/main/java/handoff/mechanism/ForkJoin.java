package handoff.mechanism;

import handoff.measure.ThreadTeam;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A fork/join pool of the team's threads, which are started and pinned before the clock starts. */
public final class ForkJoin {
    private ForkJoin() {}

    /**
     * Returns a pool whose threads are running.
     *
     * @param started called on each of the pool's threads with its number, from 0
     */
    public static ForkJoinPool open(ThreadTeam team, int threads, IntConsumer started) {
        AtomicInteger next = new AtomicInteger();
        // Asynchronous mode: first in, first out, for tasks that are never joined.
        ForkJoinPool pool = new ForkJoinPool(
                threads,
                parent -> new ForkJoinWorkerThread(parent) {
                    @Override
                    protected void onStart() {
                        super.onStart();
                        team.register();
                        started.accept(next.getAndIncrement());
                    }
                },
                (thread, reason) -> team.reportFailure(reason),
                true);
        startThreads(pool, team, threads);
        return pool;
    }

    /**
     * Submits one task per thread, which all wait for each other: the pool starts a thread only for
     * a task that finds no idle one.
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
}
