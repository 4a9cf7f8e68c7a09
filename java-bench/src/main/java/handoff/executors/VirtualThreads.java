package handoff.executors;

import handoff.mechanism.Carriers;
import java.util.concurrent.ExecutorService;

/**
 * One virtual thread per task, on n carriers. A virtual thread has no tally, so each task is
 * counted in tallies that all carriers share: two atomic additions that no other mechanism needs.
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
