package handoff.measure;

import java.util.Map;

/**
 * What a study measures in a shot beyond time and CPU.
 *
 * @param measures name to number, one for each of the study's {@code measures}; one that does not
 *     apply is missing
 * @param curves name to pairs of a quantile, from 0 to 1, and the value below which that share of
 *     the events lies, in nanoseconds
 * @param matrices name to a number for each pair of threads, in the order of their roles; null
 *     where there is none
 */
public record Findings(
        Map<String, Double> measures,
        Map<String, double[][]> curves,
        Map<String, Double[][]> matrices) {
    public static final Findings NONE = new Findings(null, null, null);
}
