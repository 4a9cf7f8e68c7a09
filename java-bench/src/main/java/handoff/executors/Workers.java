package handoff.executors;

import handoff.measure.Crew;
import handoff.mechanism.Turns;

/** A worker for each exchange, running what it takes. */
final class Workers {
    private Workers() {
    }

    static void start(Crew crew, Job job, int worker, Exchange<Task> from) {
        crew.newThread(() -> {
            job.enlist(worker);
            Turns.repeat(crew, () -> from.take().run());
        }).start();
    }
}
