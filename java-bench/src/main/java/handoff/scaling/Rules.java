package handoff.scaling;

import handoff.Study;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import handoff.mechanism.Ring;
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
    public Plan plan(Map<String, String> point, Topology machine) {
        Mechanism mechanism = Mechanism.valueOf(point.get("mechanism"));
        if (mechanism.parameters().contains("wait")) {
            Ring.checkCapacity(Integer.parseInt(point.get("capacity")));
        }
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, roles(mechanism, Integer.parseInt(point.get("consumers"))));
    }

    /** One producer and the consumers; one thread where the producer does the consumer's work. */
    static List<String> roles(Mechanism mechanism, int consumers) {
        return Plan.roles(1, mechanism == Mechanism.SEQUENTIAL ? 0 : consumers);
    }
}
