package handoff.latency;

import handoff.machine.Plan;
import handoff.mechanism.TransportMechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class LatencyRules implements StudyRules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return TransportMechanism.parameters(
                List.of(
                        "stages",
                        "gap",
                        "pacing",
                        "recording",
                        "events",
                        "capacity",
                        "placement",
                        "collector",
                        "memory"),
                List.of());
    }

    @Override
    public List<String> measures() {
        return Stages.measures();
    }

    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public void check(Map<String, String> point) {
        TransportMechanism.check(point);
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        return Plan.roles(1, Integer.parseInt(point.get("stages")));
    }
}
