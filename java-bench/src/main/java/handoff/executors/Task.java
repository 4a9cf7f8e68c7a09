package handoff.executors;

/**
 * One slice of the series, of the same class whatever the mechanism. An executor gets a new one for each slice and runs it. A Disruptor's
 * ring consists of them, to be filled in again and again; one thread computes, another collects.
 */
final class Task implements Runnable {
    private final Job job;
    private int slice;
    /** The worker that should compute it, where that is decided beforehand. */
    private int turn;
    private double result;

    Task(Job job, int slice) {
        this.job = job;
        this.slice = slice;
    }

    void refill(int nextSlice, int nextTurn) {
        slice = nextSlice;
        turn = nextTurn;
    }

    int turn() {
        return turn;
    }

    /** Writes nothing into the task: its cache line is the producer's, and to take it over costs tens of nanoseconds. */
    @Override
    public void run() {
        job.reduce(Pi.slice(slice, job.terms()));
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
