package handoff.actors;

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
    private static final long MOST_STATE = 400L << 20;

    @Override
    public Map<String, List<String>> mechanisms() {
        Map<String, List<String>> mechanisms = new LinkedHashMap<>();
        for (Mechanism mechanism : Mechanism.values()) {
            mechanisms.put(mechanism.name(), List.of("workers", "perworker", "accesses", "bytes", "events", "generator", "route",
                "placement", "collector"));
        }
        return mechanisms;
    }

    @Override
    public List<String> measures() {
        return List.of("stayed", "in_a_row", "cache_misses");
    }

    /** Of queues none has an end. */
    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public Plan plan(Map<String, String> point, Topology machine) {
        int workers = Integer.parseInt(point.get("workers"));
        int actors = workers * Integer.parseInt(point.get("perworker"));
        int bytes = Integer.parseInt(point.get("bytes"));
        if (Long.parseLong(point.get("events")) < actors) {
            throw new BadInput("events=" + point.get("events") + ": each of workers x perworker = " + actors
                + " actors begins a chain of messages, so at least as many are allowed.");
        }
        if (bytes % Integer.BYTES != 0) {
            throw new BadInput("bytes=" + bytes + ": the state consists of ints, so a multiple of " + Integer.BYTES + " is allowed.");
        }
        if ((long) actors * bytes > MOST_STATE) {
            throw new BadInput.NotOnThisMachine(actors + " actors of " + bytes + " bytes each: at most " + (MOST_STATE >> 20)
                + " MiB of state find room in a fork's heap.");
        }
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, roles(workers)).behindStarter();
    }

    static List<String> roles(int workers) {
        return Plan.counted("worker", workers);
    }
}
