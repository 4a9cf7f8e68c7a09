package handoff.latency;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One quantity of one shot, in nanoseconds to three digits, written by one thread. Its memory is
 * fixed. It is padded because a stage writes it for every event, and what other stages read must
 * not share its cache lines.
 */
final class Recorder extends RecorderState {
    static final long LATEST = 60_000_000_000L;
    private static final int DIGITS = 3;
    private static final int PER_DECADE = 8;
    private static final int DECADES = 7;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Recorder() {
        super(new Histogram(1, LATEST, DIGITS));
    }

    void record(long ns) {
        if (ns > LATEST) {
            tooLate++;
        }
        long within = Math.min(Math.max(ns, 0), LATEST);
        sum += within;
        histogram.recordValue(within);
    }

    /**
     * @throws IllegalStateException when an event took longer than can be recorded: the numbers
     *     would be too small
     */
    void verify() {
        if (tooLate > 0) {
            throw new IllegalStateException(
                    ("%s events took longer than %s s, the longest time recorded: the rate is"
                                    + " too far beyond saturation for this number of events.")
                            .formatted(tooLate, LATEST / 1_000_000_000));
        }
    }

    long count() {
        return histogram.getTotalCount();
    }

    double mean() {
        return (double) sum / count();
    }

    double least() {
        return histogram.getMinValue();
    }

    double greatest() {
        return Math.min(histogram.getMaxValue(), LATEST);
    }

    /**
     * Returns the value that a share {@code quantile} of the events, from 0 to 1, does not exceed.
     */
    double quantile(double quantile) {
        return Math.min(histogram.getValueAtPercentile(100 * quantile), LATEST);
    }

    /** Returns the memory in bytes, which does not depend on the contents. */
    long footprint() {
        return histogram.getEstimatedFootprintInBytes();
    }

    /** Adds the summary, under names that start with {@code name}, and the curve. */
    void report(String name, Map<String, Double> measures, Map<String, double[][]> curves) {
        Summary.of(this, ns -> ns).into(name, measures);
        curves.put(name, curve());
    }

    /**
     * Returns pairs of a quantile and its value, evenly spaced in nines, the logarithm of 1 ÷ (1 −
     * quantile), as far as the number of events permits.
     */
    double[][] curve() {
        int last = (int) Math.min(
                PER_DECADE * DECADES, Math.floor(PER_DECADE * Math.log10(Math.max(1, count()))));
        double[][] pairs = new double[last + 1][];
        for (int i = 0; i <= last; i++) {
            double quantile = 1 - Math.pow(10, -(double) i / PER_DECADE);
            pairs[i] = new double[] {quantile, quantile(quantile)};
        }
        return pairs;
    }
}

/** The fields written for every event. */
class RecorderState extends Padding {
    final Histogram histogram;

    @WrittenBy("its stage")
    long sum;

    @WrittenBy("its stage")
    long tooLate;

    RecorderState(Histogram histogram) {
        this.histogram = histogram;
    }
}
