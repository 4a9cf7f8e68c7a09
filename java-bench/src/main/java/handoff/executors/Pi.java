package handoff.executors;

/** The work: the series 4 - 4/3 + 4/5 - ..., cut into slices of equal length. */
final class Pi {
    /**
     * Far above the effect of the order of summation (about 1e-12). A missing slice may still
     * contribute less, late in the series; the checksum notices that.
     */
    static final double TOLERANCE = 1e-10;

    private Pi() {}

    /**
     * Returns the sum of {@code terms} terms from index {@code slice * terms} on, each computed as
     * in the post; the last index must fit into an int.
     */
    static double slice(int slice, int terms) {
        double sum = 0;
        int end = (slice + 1) * terms;
        for (int i = slice * terms; i < end; i++) {
            sum += 4.0 * (1 - i % 2 * 2) / (2 * i + 1);
        }
        return sum;
    }

    /**
     * Returns the sum of the first {@code terms} terms, computed from the error of the series,
     * which is 1/n - 1/(4 n^3) + 5/(16 n^5) with alternating sign.
     */
    static double expected(long terms) {
        double n = terms;
        double error = 1 / n - 1 / (4 * n * n * n) + 5 / (16 * Math.pow(n, 5));
        return Math.PI - (terms % 2 == 0 ? error : -error);
    }
}
