package handoff.latency;

/**
 * The statistic of the published table: a sample is the whole way divided by the stages, less the cost of reading the clock, in
 * whole nanoseconds; samples fall into buckets with bounds 2, 4, 8 ... 2^30; a quantile is its bucket's upper bound, and the mean is
 * taken from the buckets' midpoints. It can be wrong by a factor of two, and is kept to compare like with like.
 */
final class PublishedStatistic {
    private static final int BUCKETS = 31;

    private final long[] counts = new long[BUCKETS];
    private final int stages;
    private final long clockNs;
    private long least = Long.MAX_VALUE;
    private long greatest;

    PublishedStatistic(int stages, double clockNs) {
        this.stages = stages;
        this.clockNs = (long) clockNs;
    }

    void record(long endToEndNs) {
        long sample = Math.max(0, endToEndNs / stages - clockNs);
        least = Math.min(least, sample);
        greatest = Math.max(greatest, sample);
        counts[bucket(sample)]++;
    }

    /** The first bucket whose upper bound the sample does not exceed; the last one has none. */
    static int bucket(long sample) {
        return sample <= 2 ? 0 : Math.min(BUCKETS - 1, 63 - Long.numberOfLeadingZeros(sample - 1));
    }

    Summary summary() {
        return new Summary(least, mean(), bound(0.5), bound(0.99), bound(0.9999), greatest);
    }

    private double mean() {
        double sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            sum += counts[i] * midpoint(i);
        }
        return sum / count();
    }

    /** Of the part of the bucket in which samples lie. */
    private double midpoint(int bucket) {
        double low = bucket == 0 ? 0 : upper(bucket - 1);
        return (Math.max(low, least) + Math.min(upper(bucket), greatest)) / 2;
    }

    private double bound(double quantile) {
        long wanted = (long) Math.ceil(quantile * count());
        long seen = 0;
        int bucket = -1;
        while (seen < wanted) {
            seen += counts[++bucket];
        }
        return upper(bucket);
    }

    private double upper(int bucket) {
        return bucket == BUCKETS - 1 ? greatest : 1L << bucket + 1;
    }

    private long count() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }
}
