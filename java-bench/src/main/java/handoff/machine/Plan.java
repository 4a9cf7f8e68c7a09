package handoff.machine;

import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which CPU each thread of a shot gets.
 *
 * @param threads the producer first, then the consumers
 * @param nodes the NUMA nodes that they use, as far as known
 */
public record Plan(Placement placement, List<Slot> threads, SortedSet<Integer> nodes) {

    /**
     * One thread's place.
     *
     * @param cpu null when unpinned
     * @param core null when unpinned or unknown
     * @param node null when unpinned or unknown
     * @param oversubscribed whether it shares its physical core, or the container's CPU quota, with another thread
     */
    public record Slot(String role, Integer cpu, Integer core, Integer node, boolean oversubscribed) {
    }

    static Plan of(Placement placement, List<Slot> threads) {
        return new Plan(placement, threads, threads.stream().map(Slot::node).filter(Objects::nonNull)
            .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** The name of the {@code index}-th thread: one producer, then consumers counted from 1. */
    static String role(int index) {
        return index == 0 ? "producer" : "consumer-" + index;
    }
}
