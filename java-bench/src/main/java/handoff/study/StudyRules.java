package handoff.study;

import handoff.input.BadInput;
import handoff.machine.HeapPlacement;
import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import java.util.List;
import java.util.Map;

/** A study's rules for its parameters, beyond the range of each one. */
public interface StudyRules {
    /** Returns the names of the parameters that matter to each mechanism. */
    Map<String, List<String>> mechanisms();

    /** Returns the threads of one point in the order of their start; the first is JMH's own. */
    List<String> roles(Map<String, String> point);

    /**
     * Checks the parameters against each other.
     *
     * @param point every parameter of the study, each value valid by itself
     * @throws BadInput when the values do not fit together, or do not fit this machine
     */
    default void check(Map<String, String> point) {}

    /** Returns whether JMH's thread only starts the others and has none of the {@link #roles}. */
    default boolean behindStarter() {
        return false;
    }

    /**
     * Returns the names of a shot's results other than time and CPU; see {@link
     * handoff.measure.Findings}.
     */
    default List<String> measures() {
        return List.of();
    }

    /** Returns whether a shot must be long enough to fill the queue to be meaningful. */
    default boolean fills() {
        return true;
    }

    /**
     * Plans the threads of one point.
     *
     * @throws BadInput as {@link #check}, or when this machine cannot provide the placement
     */
    default Plan plan(Map<String, String> point, Topology machine) {
        check(point);
        Collector.valueOf(point.get("collector")).check(machine);
        Plan plan = Placement.named(point.get("placement")).plan(machine, roles(point));
        return behindStarter() ? plan.behindStarter() : plan;
    }

    /**
     * Returns the memory policy to start the JVM of one point with; null for none.
     *
     * @param plan the plan of its threads
     * @throws BadInput when the heap cannot be placed this way, anywhere or on this machine
     */
    default HeapPlacement.Policy heap(Map<String, String> point, Topology machine, Plan plan) {
        HeapPlacement memory = HeapPlacement.valueOf(point.get("memory"));
        if (point.get("collector").equals(Collector.PARALLEL_NUMA.name())) {
            if (memory != HeapPlacement.PRODUCER) {
                throw new BadInput(
                        ("memory=%s: the collector PARALLEL_NUMA places the heap itself; leave"
                                        + " memory at PRODUCER.")
                                .formatted(memory));
            }
            return null;
        }
        return memory.policy(machine, plan);
    }
}
