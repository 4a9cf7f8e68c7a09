package handoff.measure;

/** The cost of one small operation: the best of many batches, after the shots, when the code is compiled. */
public final class Calibration {
    private static final int PER_BATCH = 2_000;
    private static final long BUDGET_NS = 20_000_000;

    private Calibration() {
    }

    /** Nanoseconds of one call of {@code operation}. */
    public static double nanos(Runnable operation) {
        long best = Long.MAX_VALUE;
        long end = System.nanoTime() + BUDGET_NS;
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
