package handoff.executors;

import handoff.mechanism.ForkJoin;
import java.util.concurrent.ForkJoinPool;

/** The JDK's work stealing pool, fed from outside by one thread. */
final class ForkJoinExecutor extends Submission {
    private final ForkJoinPool pool;

    ForkJoinExecutor(Scenario scenario) {
        super(scenario.job());
        pool = ForkJoin.open(scenario.crew(), scenario.threads(), scenario.job()::enlist);
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
