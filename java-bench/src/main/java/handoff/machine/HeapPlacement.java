package handoff.machine;

import handoff.input.BadInput;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The NUMA nodes that the heap is to lie on. Without a policy, a JVM that touches its heap in
 * advance has it where its collector's threads happened to run, which varies from start to start.
 */
public enum HeapPlacement {
    /** All of it on the node of the first pinned thread. */
    PRODUCER {
        @Override
        Policy policy(Plan plan) {
            return nodes(plan)
                    .findFirst()
                    .map(node -> new Policy(false, List.of(node)))
                    .orElse(null);
        }
    },
    /** Page by page over the threads' nodes. */
    INTERLEAVED {
        @Override
        Policy policy(Plan plan) {
            List<Integer> nodes = List.copyOf(new TreeSet<>(nodes(plan).toList()));
            if (nodes.size() < 2) {
                throw new BadInput.NotOnThisMachine(
                        "memory=INTERLEAVED: expected threads on 2 or more NUMA nodes, got %s."
                                .formatted(nodes.size()));
            }
            return new Policy(true, nodes);
        }
    },
    /** Each page on the node of the thread that first writes to it: not touched in advance. */
    FIRST_TOUCH {
        @Override
        Policy policy(Plan plan) {
            return null;
        }

        @Override
        public void verify() {
            if (JvmFlags.isOn("AlwaysPreTouch")) {
                throw new IllegalStateException("memory=FIRST_TOUCH: this JVM touched its heap in"
                        + " advance; the fork needs -XX:-AlwaysPreTouch.");
            }
        }
    };

    /**
     * The memory policy that the launcher requests from the kernel.
     *
     * @param interleaved page by page if true, else wherever the nodes have room
     * @param nodes NUMA node ids, ascending
     */
    public record Policy(boolean interleaved, List<Integer> nodes) {}

    abstract Policy policy(Plan plan);

    private static Stream<Integer> nodes(Plan plan) {
        return plan.threads().stream().map(Plan.Slot::node).filter(Objects::nonNull);
    }

    /**
     * Returns the policy; null for the kernel's default, as on machines with one node.
     *
     * @throws BadInput.NotOnThisMachine when the heap cannot be placed this way
     */
    public Policy policy(Topology machine, Plan plan) {
        Policy policy = policy(plan);
        return machine.nodes().size() < 2 ? null : policy;
    }

    /**
     * Checks the JVM's own flags.
     *
     * @throws IllegalStateException when they contradict the placement
     */
    public void verify() {}
}
