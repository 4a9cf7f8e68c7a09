package handoff.executors;

/** The work: the series 4 - 4/3 + 4/5 - ..., cut into slices of as many terms. */
final class Pi {
    /**
     * Far above what the order of summation does (some 1e-12). A slice that is missing late is
     * less: the checksum is for those.
     */
    static final double TOLERANCE = 1e-10;

    private Pi() {}

    /**
     * The sum of the terms from {@code slice * terms} on, each computed as the post computes it;
     * the last index must fit an int.
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
     * What the first {@code terms} terms add up to, from the series' own error: 1/n - 1/(4 n^3) +
     * 5/(16 n^5) with alternating sign.
     */
    static double expected(long terms) {
        double n = terms;
        double error = 1 / n - 1 / (4 * n * n * n) + 5 / (16 * Math.pow(n, 5));
        return Math.PI - (terms % 2 == 0 ? error : -error);
    }
}
