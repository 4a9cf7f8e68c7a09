package handoff.measure;

import java.util.Map;

/**
 * A study's results of a shot other than time and CPU.
 *
 * @param measures name to number, for each of the study's {@code measures} that applies
 * @param curves name to pairs of a quantile, from 0 to 1, and the value below which that share of
 *     the events lies, in nanoseconds
 * @param matrices name to a number for each pair of threads, in the order of their roles; null
 *     without any
 */
public record Findings(
        Map<String, Double> measures,
        Map<String, double[][]> curves,
        Map<String, Double[][]> matrices) {
    public static final Findings NONE = new Findings(null, null, null);
}
