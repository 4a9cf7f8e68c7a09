package handoff.executors;

import handoff.measure.Expected;
import handoff.measure.Tally;
import java.util.List;

/**
 * The tasks of one shot: what each one computes, where its result goes, and the proof that each one
 * ran once.
 */
final class PiJob {
    private final int terms;
    private final Reduction.Shared shared;
    private final List<WorkerSum> ledgers;
    private final boolean virtual;
    private final ThreadLocal<WorkerSum> ledger = new ThreadLocal<>();

    /**
     * @param tallies one per worker
     * @param virtual whether tasks run on virtual threads, which share all tallies
     */
    PiJob(int terms, Reduction reduction, List<Tally> tallies, boolean virtual) {
        this.terms = terms;
        this.shared = reduction.shared();
        this.ledgers = tallies.stream().map(WorkerSum::new).toList();
        this.virtual = virtual;
    }

    int terms() {
        return terms;
    }

    Task task(int slice) {
        return new Task(this, slice);
    }

    /** Assigns the {@code worker}-th ledger, counted from 0, to the calling thread. */
    void register(int worker) {
        ledger.set(ledgers.get(worker));
    }

    WorkerSum ledger(int worker) {
        return ledgers.get(worker);
    }

    void reduce(double result) {
        if (shared == null) {
            ledger.get().sum += result;
        } else {
            shared.add(result);
        }
    }

    void done(int slice) {
        if (virtual) {
            ledgers.get(slice % ledgers.size()).tally.addShared(mark(slice));
        } else {
            ledger.get().tally.add(mark(slice));
        }
    }

    /** Returns the sum of the results; valid once all tasks are done. */
    double total() {
        return (shared == null ? 0 : shared.total())
                + ledgers.stream().mapToDouble(worker -> worker.sum).sum();
    }

    /**
     * Checks the sum of the results.
     *
     * @throws IllegalStateException when it is not the sum of the series
     */
    void verify(long tasks) {
        double expected = Pi.expected(tasks * terms);
        if (!(Math.abs(total() - expected) <= Pi.TOLERANCE)) {
            throw new IllegalStateException(
                    "The sum of the tasks: expected " + expected + ", got " + total() + ".");
        }
    }

    /**
     * Returns the contribution of a slice to the checksum. It is not linear, so that two faults
     * that are one ring length apart do not cancel out.
     */
    static long mark(int slice) {
        long spread = (slice + 1) * 0x9E3779B97F4A7C15L;
        return (spread ^ spread >>> 29) * 0xBF58476D1CE4E5B9L;
    }

    /** Returns what the tallies hold after every slice was computed once. */
    static Expected expected(long tasks) {
        long sum = 0;
        for (int slice = 0; slice < tasks; slice++) {
            sum += mark(slice);
        }
        return Expected.shared(tasks, sum);
    }
}
