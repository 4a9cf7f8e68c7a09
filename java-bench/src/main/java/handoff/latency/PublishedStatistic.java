package handoff.latency;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import java.util.stream.LongStream;

/**
 * The statistic of the published table: a sample is the end-to-end time divided by the number of
 * stages, less the cost of reading the clock, in whole nanoseconds; samples fall into buckets with
 * bounds 2, 4, 8 ... 2^30; a quantile is its bucket's upper bound, and the mean is taken from the
 * buckets' midpoints. It can be wrong by a factor of two, and is kept to compare like with like.
 */
final class PublishedStatistic extends PublishedState {
    private static final int BUCKETS = 31;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    PublishedStatistic(int stages, double clockNs) {
        super(new long[BUCKETS], stages, (long) clockNs);
    }

    void record(long endToEndNs) {
        long sample = endToEndNs / stages - clockNs;
        least = Math.min(least, sample);
        greatest = Math.max(greatest, sample);
        counts[bucket(sample)]++;
    }

    /** Returns the first bucket whose upper bound the sample does not exceed; the last has none. */
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

    /** Returns the midpoint of the part of the bucket in which samples can lie. */
    private double midpoint(int bucket) {
        double low = bucket == 0 ? 0 : upper(bucket - 1);
        return (Math.max(low, least) + Math.min(upper(bucket), greatest)) / 2;
    }

    /**
     * Applies the source's rule: the first bucket, from the top, with which at least the share
     * above the quantile has been counted.
     */
    private double bound(double quantile) {
        long tail = count() - Math.round(count() * quantile);
        long seen = counts[BUCKETS - 1];
        int bucket = BUCKETS - 1;
        while (seen < tail && bucket > 0) {
            seen += counts[--bucket];
        }
        return upper(bucket);
    }

    private double upper(int bucket) {
        return bucket == BUCKETS - 1 ? greatest : 1L << bucket + 1;
    }

    private long count() {
        return LongStream.of(counts).sum();
    }
}

/** The fields written for every event. */
class PublishedState extends Padding {
    final long[] counts;
    final int stages;
    final long clockNs;

    @WrittenBy("the last stage")
    long least = Long.MAX_VALUE;

    @WrittenBy("the last stage")
    long greatest;

    PublishedState(long[] counts, int stages, long clockNs) {
        this.counts = counts;
        this.stages = stages;
        this.clockNs = clockNs;
    }
}
