package handoff.scaling;

import handoff.machine.Plan;
import handoff.mechanism.DisruptorRing;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** What must hold between the parameters of this study. */
public final class ScalingRules implements StudyRules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(ScalingMechanism.values());
    }

    @Override
    public void check(Map<String, String> point) {
        if (mechanism(point).family().needsPowerOfTwo()) {
            DisruptorRing.checkCapacity(Integer.parseInt(point.get("capacity")));
        }
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        return roles(mechanism(point), Integer.parseInt(point.get("consumers")));
    }

    /** One producer and the consumers; one thread where the producer does the consumer's work. */
    static List<String> roles(ScalingMechanism mechanism, int consumers) {
        return Plan.roles(1, mechanism == ScalingMechanism.SEQUENTIAL ? 0 : consumers);
    }

    private static ScalingMechanism mechanism(Map<String, String> point) {
        return ScalingMechanism.valueOf(point.get("mechanism"));
    }
}
