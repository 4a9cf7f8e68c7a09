package handoff.machine;

import handoff.input.BadInput;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which NUMA nodes the heap shall lie on. Left to itself a JVM that touches its heap beforehand has
 * it where its collector's threads happened to run, which is another node at each start.
 */
public enum HeapPlacement {
    /** All of it on the node of the first thread that is placed. */
    PRODUCER {
        @Override
        Policy policy(Plan plan) {
            return nodes(plan)
                    .findFirst()
                    .map(node -> new Policy(false, List.of(node)))
                    .orElse(null);
        }
    },
    /** Page by page over the nodes that the threads are on. */
    INTERLEAVED {
        @Override
        Policy policy(Plan plan) {
            List<Integer> nodes = List.copyOf(new TreeSet<>(nodes(plan).toList()));
            if (nodes.size() < 2) {
                throw new BadInput.NotOnThisMachine("memory=INTERLEAVED spreads the heap over the"
                        + " NUMA nodes of the threads, and these are on "
                        + nodes.size()
                        + ".");
            }
            return new Policy(true, nodes);
        }
    },
    /** Where the thread runs that first writes to a page: not touched beforehand. */
    FIRST_TOUCH {
        @Override
        Policy policy(Plan plan) {
            return null;
        }

        @Override
        public void verify() {
            if (JvmFlags.isOn("AlwaysPreTouch")) {
                throw new IllegalStateException("memory=FIRST_TOUCH was asked for, and this JVM has"
                        + " touched its heap: the fork needs -XX:-AlwaysPreTouch.");
            }
        }
    };

    /**
     * What whoever starts the JVM asks of the kernel.
     *
     * @param interleaved page by page, or all of it where there is room
     * @param nodes on these, in ascending order
     */
    public record Policy(boolean interleaved, List<Integer> nodes) {}

    abstract Policy policy(Plan plan);

    private static Stream<Integer> nodes(Plan plan) {
        return plan.threads().stream().map(Plan.Slot::node).filter(Objects::nonNull);
    }

    /**
     * Null where the kernel is asked for nothing: also on machines of one node, and of unpinned
     * threads.
     *
     * @throws BadInput.NotOnThisMachine where the heap cannot be placed so
     */
    public Policy policy(Topology machine, Plan plan) {
        Policy policy = policy(plan);
        return machine.nodes().size() < 2 ? null : policy;
    }

    /**
     * What the JVM itself must have been told.
     *
     * @throws IllegalStateException when it was not
     */
    public void verify() {}
}
