package handoff.measure;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The cost of one small operation: the best of many batches, after the shots, when the code is
 * compiled.
 */
public final class Calibration {
    private static final int PER_BATCH = 2_000;
    private static final long BUDGET_NS = 20_000_000;

    /**
     * Sorting takes 30 to 45 ms to be compiled where the shots did not sort; a core would look slow
     * that is not.
     */
    private static final long SORT_BUDGET_NS = 80_000_000;

    private Calibration() {}

    /**
     * One sort of a sorted {@code int[100]}, nanoseconds: the same on every fork, so it tells when
     * a core has become slower.
     */
    static double sort() {
        int[] sorted = IntStream.range(0, 100).toArray();
        return nanos(() -> Arrays.sort(sorted), SORT_BUDGET_NS);
    }

    /** Nanoseconds of one call of {@code operation}. */
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
        long begin = System.nanoTime();
        for (int i = 0; i < PER_BATCH; i++) {
            operation.run();
        }
        return System.nanoTime() - begin;
    }
}
