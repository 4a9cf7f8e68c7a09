package handoff.ring;

import java.util.Random;

/**
 * The Monte-Carlo work: the share of random points of a square that lie in the quarter circle is a
 * quarter of pi.
 */
final class MonteCarlo {
    /** Limit of the error in standard errors, which a correct sum never exceeds in practice. */
    private static final double FARTHEST = 7;

    /** Standard deviation of one dart, whose result is 0 or 4. */
    private static final double DEVIATION = Math.sqrt(Math.PI * (4 - Math.PI));

    private MonteCarlo() {}

    /** Throws darts and returns the number of hits. */
    static int hits(int darts, Random random) {
        int hits = 0;
        for (int i = 0; i < darts; i++) {
            double x = random.nextDouble();
            double y = random.nextDouble();
            if (x * x + y * y < 1) {
                hits++;
            }
        }
        return hits;
    }

    /**
     * @throws IllegalStateException unless the hits give pi within {@link #FARTHEST} standard
     *     errors
     */
    static void verify(long hits, long darts) {
        if (darts > 0
                && !(Math.abs(4.0 * hits / darts - Math.PI)
                        <= FARTHEST * DEVIATION / Math.sqrt(darts))) {
            throw new IllegalStateException("%s of %s darts hit, which makes pi %s."
                    .formatted(hits, darts, 4.0 * hits / darts));
        }
    }
}
