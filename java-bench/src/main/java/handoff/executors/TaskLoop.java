package handoff.executors;

import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.Exchange;

/** A thread that takes tasks and runs them. */
final class TaskLoop {
    private TaskLoop() {}

    static void start(ExecutorsSetup setup, int worker, Exchange<Task> from) {
        setup.team()
                .newThread(() -> {
                    setup.job().register(worker);
                    ConsumerLoop.repeat(setup.team(), () -> from.take().run());
                })
                .start();
    }
}
