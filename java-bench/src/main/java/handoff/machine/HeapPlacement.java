package handoff.machine;

import handoff.input.BadInput;
import java.util.List;
import java.util.Objects;

/**
 * The NUMA nodes that the heap is to lie on. Without a policy, a JVM that touches its heap in
 * advance has it where its collector's threads happened to run, which varies from start to start.
 */
public enum HeapPlacement {
    /** All of it on the node of the first pinned thread. */
    PRODUCER,
    /** Page by page over the threads' nodes. */
    INTERLEAVED,
    /** Each page on the node of the thread that first writes to it: not touched in advance. */
    FIRST_TOUCH;

    /**
     * The memory policy that the launcher requests from the kernel.
     *
     * @param interleaved page by page if true, else wherever the nodes have room
     * @param nodes NUMA node ids, ascending
     */
    public record Policy(boolean interleaved, List<Integer> nodes) {}

    /**
     * Returns the policy; null for the kernel's default, as on machines with one node.
     *
     * @throws BadInput.NotOnThisMachine when the heap cannot be placed this way
     */
    public Policy policy(Topology machine, Plan plan) {
        List<Integer> nodes = plan.threads().stream()
                .map(Plan.Slot::node)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (this == INTERLEAVED && nodes.size() < 2) {
            throw new BadInput.NotOnThisMachine(
                    "memory=INTERLEAVED: expected threads on 2 or more NUMA nodes, got %s."
                            .formatted(nodes.size()));
        }
        if (this == FIRST_TOUCH || nodes.isEmpty() || machine.nodes().size() < 2) {
            return null;
        }
        return this == INTERLEAVED
                ? new Policy(true, nodes.stream().sorted().toList())
                : new Policy(false, List.of(nodes.get(0)));
    }

    /**
     * Checks the JVM's own flags.
     *
     * @throws IllegalStateException when they contradict the placement
     */
    public void verify() {
        if (this == FIRST_TOUCH && JvmFlags.isOn("AlwaysPreTouch")) {
            throw new IllegalStateException("memory=FIRST_TOUCH: this JVM touched its heap in"
                    + " advance; the fork needs -XX:-AlwaysPreTouch.");
        }
    }
}
