package handoff.executors;

import handoff.input.BadInput;
import handoff.machine.Plan;
import handoff.mechanism.Carriers;
import handoff.mechanism.Mechanism;
import handoff.study.StudyRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rules for this study's parameters. */
public final class ExecutorsRules implements StudyRules {
    /** The denominator of a term is twice its index, and both are ints, as in the post. */
    private static final long MOST_TERMS = 1_000_000_000;

    @Override
    public Map<String, List<String>> mechanisms() {
        return Mechanism.parameters(ExecutorsMechanism.values());
    }

    /**
     * The post compares bounded and unbounded queues at a million tasks, whether these fill a queue
     * or not.
     */
    @Override
    public boolean fills() {
        return false;
    }

    @Override
    public void check(Map<String, String> point) {
        ExecutorsMechanism mechanism = mechanism(point);
        long terms = Long.parseLong(point.get("events")) * Long.parseLong(point.get("terms"));
        if (terms > MOST_TERMS) {
            throw new BadInput(
                    "events x terms: expected at most " + MOST_TERMS + ", got " + terms + ".");
        }
        checkRing(mechanism, point);
        if (mechanism == ExecutorsMechanism.VIRTUAL_THREADS) {
            if (point.get("reduction").equals(Reduction.PER_WORKER.name())) {
                throw new BadInput(
                        "reduction=PER_WORKER: a virtual thread runs one task, so VIRTUAL_THREADS"
                                + " has no workers that could keep a sum.");
            }
            Carriers.check(mechanism.name());
        }
    }

    private static void checkRing(ExecutorsMechanism mechanism, Map<String, String> point) {
        boolean choosesIndex = mechanism.parameters().contains("index");
        boolean masks = !choosesIndex || point.get("index").equals(Index.MASK.name());
        if (mechanism.parameters().contains("capacity") && masks) {
            Mechanism.checkCapacity(
                    mechanism + (choosesIndex ? " with index=MASK" : ""),
                    Integer.parseInt(point.get("capacity")));
        }
    }

    /** Returns the producer, the workers and, where one exists, the collector. */
    @Override
    public List<String> roles(Map<String, String> point) {
        List<String> roles = new ArrayList<>(List.of("producer"));
        roles.addAll(Plan.counted("worker", Integer.parseInt(point.get("threads"))));
        if (mechanism(point).collects()) {
            roles.add("collector");
        }
        return roles;
    }

    private static ExecutorsMechanism mechanism(Map<String, String> point) {
        return ExecutorsMechanism.valueOf(point.get("mechanism"));
    }
}
