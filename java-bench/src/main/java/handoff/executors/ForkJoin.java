package handoff.executors;

import handoff.measure.Crew;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;

/** A fork/join pool whose threads are all the crew's, pinned and started before the clock. */
final class ForkJoin {
    private ForkJoin() {
    }

    static ForkJoinPool open(Scenario scenario) {
        AtomicInteger next = new AtomicInteger();
        // Asynchronous mode: tasks that nobody joins, first in, first out.
        ForkJoinPool pool = new ForkJoinPool(scenario.threads(), here -> new Worker(here, scenario, next),
            (thread, reason) -> scenario.crew().failed(reason), true);
        muster(scenario, pool);
        return pool;
    }

    /** The pool starts a thread only for a task that finds none: as many tasks as threads, which all wait for each other. */
    private static void muster(Scenario scenario, ForkJoinPool pool) {
        CyclicBarrier all = new CyclicBarrier(scenario.threads());
        for (int i = 0; i < scenario.threads(); i++) {
            pool.execute(() -> meet(all, scenario.crew()));
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
        private final Scenario scenario;
        private final AtomicInteger next;

        Worker(ForkJoinPool pool, Scenario scenario, AtomicInteger next) {
            super(pool);
            this.scenario = scenario;
            this.next = next;
        }

        @Override
        protected void onStart() {
            super.onStart();
            scenario.crew().enlist();
            scenario.job().enlist(next.getAndIncrement());
        }
    }
}
