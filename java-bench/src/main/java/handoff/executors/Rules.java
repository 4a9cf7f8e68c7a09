package handoff.executors;

import handoff.BadInput;
import handoff.Study;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import handoff.mechanism.Carriers;
import handoff.mechanism.Ring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What must hold between the parameters of this study. */
public final class Rules implements Study.Rules {
    /** A term's denominator is twice its index, and both are ints, as in the post. */
    private static final long MOST_TERMS = 1_000_000_000;

    @Override
    public Map<String, List<String>> mechanisms() {
        Map<String, List<String>> mechanisms = new LinkedHashMap<>();
        for (Mechanism mechanism : Mechanism.values()) {
            mechanisms.put(mechanism.name(), Stream.of(List.of("threads", "events", "terms", "placement", "collector"),
                mechanism.parameters()).flatMap(List::stream).toList());
        }
        return mechanisms;
    }

    /** The post compares bounded queues with unbounded ones: a million tasks, whether they fill a queue or not. */
    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public Plan plan(Map<String, String> point, Topology machine) {
        Mechanism mechanism = Mechanism.valueOf(point.get("mechanism"));
        long terms = Long.parseLong(point.get("events")) * Long.parseLong(point.get("terms"));
        if (terms > MOST_TERMS) {
            throw new BadInput("events x terms is " + terms + ": at most " + MOST_TERMS + " terms are allowed.");
        }
        checkRing(mechanism, point);
        if (mechanism == Mechanism.VIRTUAL_THREADS) {
            if (point.get("reduction").equals(Reduction.PER_WORKER.name())) {
                throw new BadInput("reduction=PER_WORKER: a virtual thread runs one task, so VIRTUAL_THREADS has no workers with a sum.");
            }
            Carriers.check(mechanism.name());
        }
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, roles(mechanism, Integer.parseInt(point.get("threads"))));
    }

    /** The post's rings keep one place free, and a mask needs a power of two. */
    private static void checkRing(Mechanism mechanism, Map<String, String> point) {
        if (mechanism != Mechanism.RING_BUFFER || point.get("index").equals(Index.MASK.name())) {
            if (mechanism.parameters().contains("capacity")) {
                Ring.checkCapacity(Integer.parseInt(point.get("capacity")));
            }
        }
    }

    /** Producer, workers, and where a thread of its own collects the results, that thread. */
    static List<String> roles(Mechanism mechanism, int threads) {
        List<String> roles = new ArrayList<>(List.of("producer"));
        roles.addAll(Plan.counted("worker", threads));
        if (mechanism.collects()) {
            roles.add("collector");
        }
        return roles;
    }
}
