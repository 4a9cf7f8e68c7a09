package handoff.study;

import handoff.input.BadInput;
import handoff.machine.HeapPlacement;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import java.util.List;
import java.util.Map;

/** What a study knows of its parameters beyond the range of each single one. */
public interface StudyRules {
    /** Mechanism to the names of the parameters that make a difference to it. */
    Map<String, List<String>> mechanisms();

    /** The threads of one point in the order of their start: the first is JMH's own. */
    List<String> roles(Map<String, String> point);

    /**
     * What must hold between parameters.
     *
     * @param point every parameter of the study, each value allowed by itself
     * @throws BadInput when the values do not go together, or this machine cannot do it
     */
    default void check(Map<String, String> point) {}

    /** Whether JMH's thread only starts the others, and none of the {@link #roles} is its own. */
    default boolean behindStarter() {
        return false;
    }

    /**
     * The names of what a shot measures beyond time and CPU; see {@link handoff.measure.Findings}.
     */
    default List<String> measures() {
        return List.of();
    }

    /** Whether a shot says something only when it is long enough to fill the queue. */
    default boolean fills() {
        return true;
    }

    /**
     * The threads' places for one point.
     *
     * @throws BadInput as {@link #check}, or when the placement cannot be had here
     */
    default Plan plan(Map<String, String> point, Topology machine) {
        check(point);
        Collector.valueOf(point.get("collector")).check(machine);
        Plan plan = Placement.named(point.get("placement")).plan(machine, roles(point));
        return behindStarter() ? plan.behindStarter() : plan;
    }

    /**
     * What the JVM of one point must be started with; null where nothing.
     *
     * @param plan of its threads
     * @throws BadInput when the heap cannot be placed so, anywhere or here
     */
    default HeapPlacement.Policy heap(Map<String, String> point, Topology machine, Plan plan) {
        HeapPlacement memory = HeapPlacement.valueOf(point.get("memory"));
        if (point.get("collector").equals(Collector.PARALLEL_NUMA.name())) {
            if (memory != HeapPlacement.PRODUCER) {
                throw new BadInput("memory="
                        + memory
                        + ": the collector PARALLEL_NUMA places the heap itself; leave memory at"
                        + " PRODUCER.");
            }
            return null;
        }
        return memory.policy(machine, plan);
    }
}
