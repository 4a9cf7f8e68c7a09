package handoff.executors;

import handoff.mechanism.ForkJoin;
import java.util.concurrent.ForkJoinPool;

/** The work-stealing pool of the JDK; one thread from outside submits the tasks. */
final class ForkJoinExecutor extends TaskProducer {
    private final ForkJoinPool pool;

    ForkJoinExecutor(ExecutorsSetup setup) {
        super(setup.job());
        pool = ForkJoin.open(setup.team(), setup.threads(), setup.job()::register);
    }

    @Override
    void submit(Task task) {
        pool.execute(task);
    }

    @Override
    public void stop() {
        pool.shutdownNow();
    }
}
