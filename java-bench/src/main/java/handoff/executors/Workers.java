package handoff.executors;

import handoff.mechanism.Turns;

/** A thread that runs what it takes. */
final class Workers {
    private Workers() {
    }

    static void start(Scenario scenario, int worker, Exchange<Task> from) {
        scenario.crew().newThread(() -> {
            scenario.job().enlist(worker);
            Turns.repeat(scenario.crew(), () -> from.take().run());
        }).start();
    }
}
