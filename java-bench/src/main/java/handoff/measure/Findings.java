package handoff.measure;

import java.util.Map;

/**
 * What a study measures in a shot beyond time and CPU.
 *
 * @param measures name to number, one for each of the study's {@code measures}; one that does not
 *     apply is missing
 * @param curves name to pairs of a quantile, from 0 to 1, and the value below which that share of
 *     the events lies, in nanoseconds
 */
public record Findings(Map<String, Double> measures, Map<String, double[][]> curves) {
    public static final Findings NONE = new Findings(null, null);
}
