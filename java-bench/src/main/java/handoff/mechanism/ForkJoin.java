package handoff.mechanism;

import handoff.measure.Crew;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A fork/join pool whose threads are all the crew's, pinned and started before the clock. */
public final class ForkJoin {
    private ForkJoin() {
    }

    /** @param started called on each of the pool's threads with its number, from 0 */
    public static ForkJoinPool open(Crew crew, int threads, IntConsumer started) {
        AtomicInteger next = new AtomicInteger();
        // Asynchronous mode: tasks that nobody joins, first in, first out.
        ForkJoinPool pool = new ForkJoinPool(threads, here -> new Worker(here, crew, () -> started.accept(next.getAndIncrement())),
            (thread, reason) -> crew.failed(reason), true);
        muster(pool, crew, threads);
        return pool;
    }

    /** The pool starts a thread only for a task that finds none: as many tasks as threads, which all wait for each other. */
    private static void muster(ForkJoinPool pool, Crew crew, int threads) {
        CyclicBarrier all = new CyclicBarrier(threads);
        for (int i = 0; i < threads; i++) {
            pool.execute(() -> meet(all, crew));
        }
    }

    private static void meet(CyclicBarrier all, Crew crew) {
        try {
            all.await();
            crew.ready();
        } catch (InterruptedException | BrokenBarrierException reason) {
            crew.failed(reason);
        }
    }

    private static final class Worker extends ForkJoinWorkerThread {
        private final Crew crew;
        private final Runnable started;

        Worker(ForkJoinPool pool, Crew crew, Runnable started) {
            super(pool);
            this.crew = crew;
            this.started = started;
        }

        @Override
        protected void onStart() {
            super.onStart();
            crew.enlist();
            started.run();
        }
    }
}
