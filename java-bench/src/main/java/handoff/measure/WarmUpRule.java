package handoff.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * Decides from a fork's uncounted shots when it has warmed up.
 *
 * <p>A fork has settled when none of its last {@value #WINDOW} shots was faster than the fastest
 * before them by more than {@value #GAIN} of it, and the compilers used at most {@value #QUIET}
 * cores meanwhile. Until then it warms up for the longer of the time limit and {@value #LEAST}
 * shots. The rule ignores parameters, so that both sides of a comparison settle by the same one.
 */
public final class WarmUpRule {
    static final int WINDOW = 4;
    static final int LEAST = 6;
    static final double GAIN = 0.03;
    static final double QUIET = 0.05;

    private final double limitSeconds;
    private final List<Evidence.Shot> shots = new ArrayList<>();

    /**
     * @param limitSeconds time after which the warm-up ends even if the fork has not settled; 0 for
     *     no warm-up
     */
    WarmUpRule(double limitSeconds) {
        this.limitSeconds = limitSeconds;
    }

    void add(Evidence.Shot shot) {
        shots.add(shot);
    }

    boolean over() {
        return limitSeconds == 0
                || settled()
                || shots.size() >= LEAST && wallNs(shots) >= limitSeconds * 1e9;
    }

    boolean settled() {
        int earlier = shots.size() - WINDOW;
        if (earlier < 1) {
            return false;
        }
        List<Evidence.Shot> last = shots.subList(earlier, shots.size());
        return best(last) >= (1 - GAIN) * best(shots.subList(0, earlier)) && quiet(last);
    }

    private static double best(List<Evidence.Shot> shots) {
        return shots.stream().mapToLong(Evidence.Shot::wallNs).min().orElseThrow();
    }

    /** Returns true where the kernel reports no compiler time: then wall time alone decides. */
    private static boolean quiet(List<Evidence.Shot> shots) {
        return shots.stream().anyMatch(shot -> shot.compilerNs() == null)
                || shots.stream().mapToLong(Evidence.Shot::compilerNs).sum()
                        <= QUIET * wallNs(shots);
    }

    private static long wallNs(List<Evidence.Shot> shots) {
        return shots.stream().mapToLong(Evidence.Shot::wallNs).sum();
    }

    /** Returns null without a warm-up. */
    Evidence.WarmUp evidence() {
        return limitSeconds == 0
                ? null
                : new Evidence.WarmUp(
                        limitSeconds,
                        settled(),
                        shots.get(0).events(),
                        shots.stream().map(Evidence.Shot::wallNs).toList(),
                        shots.stream().map(Evidence.Shot::compilerNs).toList());
    }
}
