package handoff.executors;

import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.Exchange;
import handoff.mechanism.Handoff;

/** The producer of every mechanism but the Disruptors: creates tasks and submits them. */
abstract class TaskProducer implements Handoff {
    private final PiJob job;

    TaskProducer(PiJob job) {
        this.job = job;
    }

    @Override
    public void publish(long events) throws InterruptedException {
        for (int slice = 0; slice < events; slice++) {
            submit(job.task(slice));
        }
    }

    /** Starts a worker that takes tasks and runs them. */
    static void startWorker(ExecutorsSetup setup, int worker, Exchange<Task> from) {
        setup.team()
                .newThread(() -> {
                    setup.job().register(worker);
                    ConsumerLoop.repeat(setup.team(), () -> from.take().run());
                })
                .start();
    }

    abstract void submit(Task task) throws InterruptedException;
}
