package handoff.latency;

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
        return Mechanism.parameters(List.of("stages", "gap", "pacing", "recording", "events", "capacity", "placement", "collector"),
            List.of(), List.of("wait"));
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
    public Plan plan(Map<String, String> point, Topology machine) {
        if (Mechanism.valueOf(point.get("mechanism")).release() != null) {
            Ring.checkCapacity(Integer.parseInt(point.get("capacity")));
        }
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, Plan.roles(1, Integer.parseInt(point.get("stages"))));
    }
}
