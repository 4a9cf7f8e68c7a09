package handoff.executors;

/**
 * One slice of the series, of the same class whatever the mechanism. An executor gets a new one for
 * each slice and runs it. A Disruptor's ring consists of them, to be filled in again and again; one
 * thread computes, another collects.
 */
final class Task implements Runnable {
    private final PiJob job;
    private int slice;

    /** The worker that should compute it, where that is decided beforehand. */
    private int turn;

    private double result;

    /** The slice that the result is of. */
    private int computed = -1;

    Task(PiJob job, int slice) {
        this.job = job;
        this.slice = slice;
    }

    void refill(int nextSlice, int nextTurn) {
        slice = nextSlice;
        turn = nextTurn;
    }

    int slice() {
        return slice;
    }

    int turn() {
        return turn;
    }

    double value() {
        return Pi.slice(slice, job.terms());
    }

    /**
     * Writes nothing into the task: its cache line is the producer's, and to take it over costs
     * tens of nanoseconds.
     */
    @Override
    public void run() {
        job.reduce(value());
        job.done(slice);
    }

    /** Leaves the result for a thread that collects. */
    void compute() {
        result = value();
        computed = slice;
    }

    /**
     * Takes the result that another thread left; one of another slice than the ring's does not pass
     * for this one's.
     */
    void collect(WorkerSum ledger) {
        ledger.add(computed, result);
    }
}
