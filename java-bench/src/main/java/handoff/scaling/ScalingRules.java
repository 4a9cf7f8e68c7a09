package handoff.scaling;

import handoff.machine.Plan;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class ScalingRules implements StudyRules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(ScalingMechanism.values());
    }

    @Override
    public void check(Map<String, String> point) {
        ScalingMechanism mechanism = mechanism(point);
        if (mechanism.family().needsPowerOfTwo()) {
            Mechanism.checkCapacity(mechanism.name(), Integer.parseInt(point.get("capacity")));
        }
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        return roles(mechanism(point), Integer.parseInt(point.get("consumers")));
    }

    /** Returns the name of what a machine with several sockets may count. */
    @Override
    public List<String> measures() {
        return List.of("remote_hits");
    }

    /** Returns the producer and the consumers; the sequential mechanism has no consumers. */
    static List<String> roles(ScalingMechanism mechanism, int consumers) {
        return Plan.roles(1, mechanism == ScalingMechanism.SEQUENTIAL ? 0 : consumers);
    }

    private static ScalingMechanism mechanism(Map<String, String> point) {
        return ScalingMechanism.valueOf(point.get("mechanism"));
    }
}
