package handoff.executors;

import handoff.mechanism.Handoff;

/** The producer of every mechanism: makes one task after the other and submits it. */
abstract class Submission implements Handoff {
    private final Job job;

    Submission(Job job) {
        this.job = job;
    }

    @Override
    public void publish(long events) throws InterruptedException {
        for (int slice = 0; slice < events; slice++) {
            submit(job.task(slice));
        }
    }

    abstract void submit(Task task) throws InterruptedException;
}
