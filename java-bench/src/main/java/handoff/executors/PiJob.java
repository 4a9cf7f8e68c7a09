package handoff.executors;

import handoff.measure.Expected;
import handoff.measure.Tally;
import java.util.List;

/**
 * All tasks of one shot: what each computes, where its result goes, and the proof that each ran
 * once.
 */
final class PiJob {
    private final int terms;
    private final Reduction.Shared shared;
    private final List<WorkerSum> ledgers;
    private final boolean virtual;
    private final ThreadLocal<WorkerSum> own = new ThreadLocal<>();

    /**
     * @param tallies one for each worker
     * @param virtual whether tasks run on virtual threads, which own no tally: these use all of
     *     them together
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

    /** Gives the calling thread the {@code worker}-th sum, from 0. */
    void register(int worker) {
        own.set(ledgers.get(worker));
    }

    WorkerSum ledger(int worker) {
        return ledgers.get(worker);
    }

    void reduce(double result) {
        if (shared == null) {
            own.get().sum += result;
        } else {
            shared.add(result);
        }
    }

    void done(int slice) {
        if (virtual) {
            ledgers.get(slice % ledgers.size()).tally.addShared(mark(slice));
        } else {
            own.get().tally.add(mark(slice));
        }
    }

    /** Meaningful once all tasks are done. */
    double total() {
        return (shared == null ? 0 : shared.total())
                + ledgers.stream().mapToDouble(ledger -> ledger.sum).sum();
    }

    /**
     * @throws IllegalStateException when the tasks' sum is not the series'
     */
    void verify(long tasks) {
        double expected = Pi.expected(tasks * terms);
        if (!(Math.abs(total() - expected) <= Pi.TOLERANCE)) {
            throw new IllegalStateException(
                    "The tasks' sum is " + total() + ", expected " + expected + ".");
        }
    }

    /**
     * A slice's part of the checksum; not linear, so that faults a ring's length apart do not
     * cancel each other.
     */
    static long mark(int slice) {
        long spread = (slice + 1) * 0x9E3779B97F4A7C15L;
        return (spread ^ spread >>> 29) * 0xBF58476D1CE4E5B9L;
    }

    /** Every slice once. */
    static Expected expected(long tasks) {
        long sum = 0;
        for (int slice = 0; slice < tasks; slice++) {
            sum += mark(slice);
        }
        return Expected.shared(tasks, sum);
    }
}
