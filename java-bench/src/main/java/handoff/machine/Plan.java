package handoff.machine;

import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which CPU each thread of a shot gets.
 *
 * @param threads in the order of their {@link #roles}
 * @param nodes the NUMA nodes that they use, as far as known
 */
public record Plan(Placement placement, List<Slot> threads, SortedSet<Integer> nodes) {

    /**
     * One thread's place.
     *
     * @param cpu null when unpinned
     * @param core null when unpinned or unknown
     * @param node null when unpinned or unknown
     * @param oversubscribed whether it shares its physical core, or the container's CPU quota, with
     *     another thread
     */
    public record Slot(
            String role, Integer cpu, Integer core, Integer node, boolean oversubscribed) {}

    static Plan of(Placement placement, List<Slot> threads) {
        return new Plan(
                placement,
                threads,
                threads.stream()
                        .map(Slot::node)
                        .filter(Objects::nonNull)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /**
     * The same with a thread in front that sets the others going and sleeps until they are done: on
     * no core, in nobody's way.
     */
    public Plan behindStarter() {
        Slot starter = new Slot("starter", null, null, null, false);
        return new Plan(
                placement, Stream.concat(Stream.of(starter), threads.stream()).toList(), nodes);
    }

    /**
     * The names of a shot's threads: the producers first, of which several are counted from 1, then
     * the consumers.
     */
    public static List<String> roles(int producers, int consumers) {
        List<String> first = producers == 1 ? List.of("producer") : counted("producer", producers);
        return Stream.concat(first.stream(), counted("consumer", consumers).stream())
                .toList();
    }

    /** {@code role-1} to {@code role-number}. */
    public static List<String> counted(String role, int number) {
        return IntStream.rangeClosed(1, number).mapToObj(i -> role + "-" + i).toList();
    }
}
