package handoff.topologies;

import handoff.Study;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import handoff.mechanism.Mechanism;
import handoff.mechanism.Ring;
import java.util.List;
import java.util.Map;

/** What must hold between the parameters of this study. */
public final class Rules implements Study.Rules {
    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(List.of("topology", "events", "capacity", "placement", "collector"),
            List.of("accounting"), List.of("wait"));
    }

    @Override
    public Plan plan(Map<String, String> point, Topology machine) {
        if (Mechanism.valueOf(point.get("mechanism")).release() != null) {
            Ring.checkCapacity(Integer.parseInt(point.get("capacity")));
        }
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, handoff.topologies.Topology.valueOf(point.get("topology")).roles());
    }
}
