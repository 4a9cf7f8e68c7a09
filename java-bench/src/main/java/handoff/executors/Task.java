package handoff.executors;

/**
 * One slice of the series, of the same class for every mechanism. An executor runs a new task per
 * slice. The ring of a Disruptor consists of tasks that are refilled; one thread computes, another
 * one collects.
 */
final class Task implements Runnable {
    private final PiJob job;
    private int slice;

    /** The worker that computes the slice, where the producer decides that. */
    private int turn;

    private double result;

    /** The slice whose result this is. */
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
     * Computes the slice. Writes nothing into the task, whose cache line the producer owns: taking
     * it over would cost tens of nanoseconds.
     */
    @Override
    public void run() {
        job.reduce(value());
        job.done(slice);
    }

    /** Computes the slice and leaves the result for the collector. */
    void compute() {
        result = value();
        computed = slice;
    }

    /**
     * Collects the result that a worker left. The slice is the one that the worker computed, so a
     * stale result does not pass for the current slice's.
     */
    void collect(WorkerSum ledger) {
        ledger.add(computed, result);
    }
}
