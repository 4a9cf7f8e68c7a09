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

    /** Returns the producer and the consumers; the sequential mechanism has none. */
    @Override
    public List<String> roles(Map<String, String> point) {
        boolean alone = mechanism(point) == ScalingMechanism.SEQUENTIAL;
        return Plan.roles(1, alone ? 0 : Integer.parseInt(point.get("consumers")));
    }

    /** Returns the name of what a machine with several sockets may count. */
    @Override
    public List<String> measures() {
        return List.of("remote_hits");
    }

    private static ScalingMechanism mechanism(Map<String, String> point) {
        return ScalingMechanism.valueOf(point.get("mechanism"));
    }
}
