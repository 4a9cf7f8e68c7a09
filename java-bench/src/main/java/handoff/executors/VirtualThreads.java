package handoff.executors;

import handoff.mechanism.Carriers;
import java.util.concurrent.ExecutorService;

/**
 * A virtual thread for each task, on n carriers. A task counts itself in tallies that all carriers
 * share, with two atomic additions that no other mechanism has: virtual threads own nothing.
 */
final class VirtualThreads extends TaskProducer {
    private final ExecutorService executor;

    VirtualThreads(ExecutorsSetup setup) {
        super(setup.job());
        executor = Carriers.open(setup.team(), setup.threads());
    }

    @Override
    void submit(Task task) {
        executor.execute(task);
    }

    @Override
    public void stop() {
        executor.shutdown();
    }
}
