package handoff.ladder;

import handoff.input.BadInput;
import handoff.machine.Plan;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class LadderRules implements StudyRules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(LadderMechanism.values());
    }

    @Override
    public void check(Map<String, String> point) {
        LadderMechanism mechanism = mechanism(point);
        int capacity = Integer.parseInt(point.get("capacity"));
        if (mechanism != LadderMechanism.ARRAY_BLOCKING_QUEUE) {
            Mechanism.checkCapacity(mechanism.name(), capacity);
        }
        if (mechanism == LadderMechanism.JCTOOLS_SPSC && capacity < JctoolsSpsc.LEAST_CAPACITY) {
            throw new BadInput("capacity=" + capacity + ": " + mechanism + " has at least "
                    + JctoolsSpsc.LEAST_CAPACITY + " places.");
        }
    }

    /** Returns the producer and the consumer; the sequential mechanism has no consumer. */
    @Override
    public List<String> roles(Map<String, String> point) {
        return Plan.roles(1, mechanism(point) == LadderMechanism.SEQUENTIAL ? 0 : 1);
    }

    private static LadderMechanism mechanism(Map<String, String> point) {
        return LadderMechanism.valueOf(point.get("mechanism"));
    }
}
