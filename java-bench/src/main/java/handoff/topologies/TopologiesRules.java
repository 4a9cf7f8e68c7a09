package handoff.topologies;

import handoff.mechanism.TransportMechanism;
import handoff.study.StudyRules;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class TopologiesRules implements StudyRules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return TransportMechanism.parameters(
                List.of("topology", "events", "capacity", "placement", "collector", "memory"),
                List.of("accounting"));
    }

    @Override
    public void check(Map<String, String> point) {
        TransportMechanism.check(point);
    }

    @Override
    public List<String> roles(Map<String, String> point) {
        return Wiring.valueOf(point.get("topology")).roles();
    }
}
