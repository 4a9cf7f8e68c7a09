package handoff.ring;

import handoff.BadInput;
import handoff.Study;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import handoff.mechanism.Carriers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What must hold between the parameters of this study. */
public final class Rules implements Study.Rules {
    @Override
    public Map<String, List<String>> mechanisms() {
        Map<String, List<String>> mechanisms = new LinkedHashMap<>();
        for (Mechanism mechanism : Mechanism.values()) {
            mechanisms.put(mechanism.name(), Stream.of(mechanism.parameters(), List.of("events", "generator", "placement", "collector"))
                .flatMap(List::stream).toList());
        }
        return mechanisms;
    }

    /** Mailboxes have no end. */
    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public Plan plan(Map<String, String> point, Topology machine) {
        Mechanism mechanism = Mechanism.valueOf(point.get("mechanism"));
        int nodes = Integer.parseInt(point.get("size"));
        checkEvents(mechanism, Long.parseLong(point.get("events")), nodes, Integer.parseInt(point.get("tokens")));
        if (mechanism == Mechanism.VIRTUAL_THREAD_PER_NODE) {
            Carriers.check(mechanism.name());
        }
        Collector.valueOf(point.get("collector")).check(machine);
        return Placement.valueOf(point.get("placement")).plan(machine, roles(mechanism, nodes, Integer.parseInt(point.get("threads"))))
            .behindStarter();
    }

    private static void checkEvents(Mechanism mechanism, long events, int nodes, int tokens) {
        int round = mechanism == Mechanism.PI_TASKS ? PiTasks.TASKS : nodes * tokens;
        if (events % round != 0) {
            throw new BadInput("events=" + events + ": " + (mechanism == Mechanism.PI_TASKS ? "two tasks share them, so an even number"
                : "every token makes whole rounds, so a multiple of size x tokens = " + round) + " is allowed.");
        }
    }

    /** Those who run the nodes. */
    static List<String> roles(Mechanism mechanism, int nodes, int threads) {
        return mechanism == Mechanism.THREAD_PER_NODE ? Plan.counted("node", nodes) : Plan.counted("worker", threads);
    }
}
