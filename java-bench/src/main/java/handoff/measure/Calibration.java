package handoff.measure;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The cost of a small operation: the fastest of many batches, measured after the shots, when the
 * code is compiled.
 */
public final class Calibration {
    private static final int PER_BATCH = 2_000;
    private static final long BUDGET_NS = 20_000_000;

    /**
     * Longer, because compiling the sort takes 30 to 45 ms in forks that did not sort, and a fast
     * core would look slow.
     */
    private static final long SORT_BUDGET_NS = 80_000_000;

    private Calibration() {}

    /**
     * Returns the nanoseconds of sorting a sorted {@code int[100]}: the same work in every fork,
     * which shows when a core has become slower.
     */
    static double sort() {
        int[] sorted = IntStream.range(0, 100).toArray();
        return nanos(() -> Arrays.sort(sorted), SORT_BUDGET_NS);
    }

    /** Returns the nanoseconds of one call of {@code operation}. */
    public static double nanos(Runnable operation) {
        return nanos(operation, BUDGET_NS);
    }

    private static double nanos(Runnable operation, long budgetNs) {
        long best = Long.MAX_VALUE;
        long end = System.nanoTime() + budgetNs;
        while (System.nanoTime() < end) {
            best = Math.min(best, batch(operation));
        }
        return (double) best / PER_BATCH;
    }

    private static long batch(Runnable operation) {
        long start = System.nanoTime();
        for (int i = 0; i < PER_BATCH; i++) {
            operation.run();
        }
        return System.nanoTime() - start;
    }
}
