package handoff.latency;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Summary statistics of one quantity, in nanoseconds. */
record Summary(double min, double mean, double p50, double p99, double p9999, double max) {
    static final List<String> NAMES = List.of("min", "mean", "p50", "p99", "p9999", "max");

    /**
     * Summarises a recorder, each value mapped by {@code scale}, which must be linear and
     * increasing.
     */
    static Summary of(Recorder recorder, DoubleUnaryOperator scale) {
        return new Summary(
                scale.applyAsDouble(recorder.least()),
                scale.applyAsDouble(recorder.mean()),
                scale.applyAsDouble(recorder.quantile(0.5)),
                scale.applyAsDouble(recorder.quantile(0.99)),
                scale.applyAsDouble(recorder.quantile(0.9999)),
                scale.applyAsDouble(recorder.greatest()));
    }

    void into(String name, Map<String, Double> measures) {
        List<Double> numbers = List.of(min, mean, p50, p99, p9999, max);
        for (int i = 0; i < NAMES.size(); i++) {
            measures.put(name + "_" + NAMES.get(i), numbers.get(i));
        }
    }
}
