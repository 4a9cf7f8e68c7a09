package handoff.scaling;

import handoff.BadInput;
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
    public Plan plan(Map<String, String> point, Topology machine) {
        Mechanism mechanism = Mechanism.valueOf(point.get("mechanism"));
        int capacity = Integer.parseInt(point.get("capacity"));
        if (mechanism.parameters().contains("wait") && Integer.bitCount(capacity) != 1) {
            throw new BadInput("capacity=" + capacity + ": the Disruptor's ring needs a power of two, such as "
                + Integer.highestOneBit(capacity) + " or " + 2 * Integer.highestOneBit(capacity) + ".");
        }
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, threads(mechanism, Integer.parseInt(point.get("consumers"))));
    }

    /** One producer and the consumers; one thread where the producer does the consumer's work. */
    static int threads(Mechanism mechanism, int consumers) {
        return mechanism == Mechanism.SEQUENTIAL ? 1 : 1 + consumers;
    }
}
