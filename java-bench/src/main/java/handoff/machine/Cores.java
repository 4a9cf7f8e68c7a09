package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Physical cores, each the list of its usable CPUs; a CPU whose siblings are unknown counts as a
 * core.
 */
record Cores(List<List<Cpu>> cores) {

    static Cores usable(Topology machine) {
        Collection<List<Cpu>> cores = machine.cpus().stream()
                .filter(Cpu::usable)
                .collect(Collectors.groupingBy(Cores::key, TreeMap::new, Collectors.toList()))
                .values();
        if (cores.isEmpty()) {
            throw new BadInput("This process may use none of the machine's online CPUs.");
        }
        return new Cores(cores.stream()
                .sorted(Comparator.comparing(core -> core.get(0).id()))
                .toList());
    }

    private static String key(Cpu cpu) {
        return cpu.core() == null ? "cpu " + cpu.id() : "core " + cpu.core();
    }

    static boolean same(Cpu one, Cpu other) {
        return key(one).equals(key(other));
    }

    int count() {
        return cores.size();
    }

    /** Node id to the cores there; without the cores whose node is unknown. */
    Map<Integer, List<List<Cpu>>> byNode() {
        return cores.stream()
                .filter(core -> core.get(0).node() != null)
                .collect(Collectors.groupingBy(
                        core -> core.get(0).node(), TreeMap::new, Collectors.toList()));
    }

    Cores largestNode() {
        return byNode().values().stream()
                .max(Comparator.<List<?>>comparingInt(List::size))
                .map(Cores::new)
                .orElseThrow(() -> new BadInput.NotOnThisMachine(
                        "ONE_NODE needs to know the NUMA node of the CPUs, and this"
                                + " machine does not tell."));
    }

    /** Every core's first CPU in the given order of cores, then every core's second, and so on. */
    List<Cpu> inOrder(UnaryOperator<Cores> order) {
        List<List<Cpu>> ordered = order.apply(this).cores;
        int deepest = ordered.stream().mapToInt(List::size).max().orElseThrow();
        return IntStream.range(0, deepest)
                .boxed()
                .flatMap(rank -> ordered.stream()
                        .filter(core -> rank < core.size())
                        .map(core -> core.get(rank)))
                .toList();
    }

    Cores nodeByNode() {
        List<List<Cpu>> ordered = new ArrayList<>();
        byNode().values().forEach(ordered::addAll);
        cores.stream().filter(core -> core.get(0).node() == null).forEach(ordered::add);
        return new Cores(ordered);
    }

    Cores alternating() {
        Collection<List<List<Cpu>>> nodes = byNode().values();
        int longest = nodes.stream().mapToInt(List::size).max().orElseThrow();
        return new Cores(IntStream.range(0, longest)
                .boxed()
                .flatMap(i -> nodes.stream()
                        .map(node -> i < node.size() ? node.get(i) : null)
                        .filter(Objects::nonNull))
                .toList());
    }
}
