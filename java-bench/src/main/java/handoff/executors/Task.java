package handoff.executors;

/**
 * One slice of the series, the same object whatever the mechanism. An executor runs it; a mechanism that collects results computes it
 * on one thread and hands it on to another.
 */
final class Task implements Runnable {
    private final Job job;
    private final int slice;
    private double result;

    Task(Job job, int slice) {
        this.job = job;
        this.slice = slice;
    }

    @Override
    public void run() {
        compute();
        job.reduce(result);
        job.done(slice);
    }

    void compute() {
        result = Pi.slice(slice, job.terms());
    }

    /** Adds the result, computed by another thread, to what the calling thread alone adds up. */
    void collect(Ledger ledger) {
        ledger.sum += result;
        ledger.tally.add(slice);
    }
}
