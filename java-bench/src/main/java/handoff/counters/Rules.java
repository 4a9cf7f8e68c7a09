package handoff.counters;

import handoff.Study;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What must hold between the parameters of this study. */
public final class Rules implements Study.Rules {
    @Override
    public Map<String, List<String>> mechanisms() {
        Map<String, List<String>> mechanisms = new LinkedHashMap<>();
        for (Mechanism mechanism : Mechanism.values()) {
            mechanisms.put(mechanism.name(), mechanism.parameters());
        }
        return mechanisms;
    }

    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public Plan plan(Map<String, String> point, Topology machine) {
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, roles(Integer.parseInt(point.get("threads"))));
    }

    static List<String> roles(int threads) {
        return Plan.counted("thread", threads);
    }
}
