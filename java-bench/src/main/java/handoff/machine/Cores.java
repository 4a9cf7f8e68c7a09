package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import handoff.machine.Topology.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Physical cores, each the list of its usable CPUs; a CPU whose siblings are unknown counts as a
 * core.
 */
record Cores(Topology machine, List<List<Cpu>> cores) {
    /** Cores of each of the paper's two sockets. */
    static final int PAPER = 6;

    private static final int UNKNOWN = Integer.MAX_VALUE;

    static Cores usable(Topology machine) {
        Cores usable = of(machine, Cpu::usable);
        if (usable.cores.isEmpty()) {
            throw new BadInput("This process may use none of the machine's online CPUs.");
        }
        return usable;
    }

    /** Returns the cores that the kernel leaves alone; by default no process's mask holds them. */
    Cores isolated() {
        return of(machine, cpu -> cpu.online() && cpu.isolated());
    }

    private static Cores of(Topology machine, Predicate<Cpu> wanted) {
        Collection<List<Cpu>> cores = machine.cpus().stream()
                .filter(wanted)
                .collect(Collectors.groupingBy(Cores::key, TreeMap::new, Collectors.toList()))
                .values();
        return new Cores(
                machine,
                cores.stream()
                        .sorted(Comparator.comparing(core -> core.get(0).id()))
                        .toList());
    }

    private static String key(Cpu cpu) {
        return cpu.core() == null ? "cpu " + cpu.id() : "core " + cpu.core();
    }

    static boolean same(Cpu one, Cpu other) {
        return key(one).equals(key(other));
    }

    /** Returns the first two different CPUs for which {@code related} holds. */
    static Optional<List<Cpu>> pair(List<Cpu> order, BiPredicate<Cpu, Cpu> related) {
        return order.stream()
                .flatMap(one -> order.stream()
                        .filter(other -> other.id() != one.id() && related.test(one, other))
                        .limit(1)
                        .map(other -> List.of(one, other)))
                .findFirst();
    }

    int count() {
        return cores.size();
    }

    Cores fullestNode() {
        return fullestFirst(cores, Cores::nodeOf)
                .filter(node -> nodeOf(node.get(0)) != null)
                .findFirst()
                .map(node -> new Cores(machine, node))
                .orElseThrow(() -> new BadInput.NotOnThisMachine(
                        "ONE_NODE needs the CPUs' NUMA nodes, and this machine does not"
                                + " report them."));
    }

    /** Returns every core's first CPU, then every core's second, and so on. */
    List<Cpu> bySibling() {
        return inTurn(cores);
    }

    /** Returns the first of every list, then the second of every list, and so on. */
    private static <T> List<T> inTurn(Collection<List<T>> lists) {
        int longest = lists.stream().mapToInt(List::size).max().orElse(0);
        return IntStream.range(0, longest)
                .boxed()
                .flatMap(i ->
                        lists.stream().filter(list -> i < list.size()).map(list -> list.get(i)))
                .toList();
    }

    /**
     * Orders the cores node by node: the fullest first, then the nearest; within a node by kind,
     * fastest first, then socket by socket and cache by cache, fullest first.
     */
    Cores compact() {
        return new Cores(machine, nodeByNode().flatMap(Collection::stream).toList());
    }

    /** Orders the cores so that they come from each socket in turn, or of one socket each node. */
    Cores alternating() {
        return new Cores(machine, inTurn(compact().groups(several()).values()));
    }

    /** Returns whether threads can alternate between sockets or nodes. */
    boolean canAlternate() {
        return groups(several()).size() > 1;
    }

    private Function<Cpu, Integer> several() {
        return groups(Cpu::socket).size() > 1 ? Cpu::socket : Cpu::node;
    }

    /** Returns the cores at each known place, in the order in which the places occur. */
    private Map<Integer, List<List<Cpu>>> groups(Function<Cpu, Integer> placeOf) {
        return cores.stream()
                .filter(core -> placeOf.apply(core.get(0)) != null)
                .collect(Collectors.groupingBy(
                        core -> placeOf.apply(core.get(0)),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    /**
     * Returns the cores of two sockets, {@code each} per socket, in COMPACT's order; empty where
     * fewer than two sockets have that many.
     */
    Optional<Cores> onTwoSockets(int each) {
        List<List<Cpu>> chosen = compact().groups(Cpu::socket).values().stream()
                .filter(socket -> socket.size() >= each)
                .limit(2)
                .flatMap(socket -> socket.stream().limit(each))
                .toList();
        return chosen.size() == 2 * each
                ? Optional.of(new Cores(machine, chosen))
                : Optional.empty();
    }

    /** Returns the cores for which {@code placeOf} gives the {@code index}-th place, from 0. */
    Optional<Cores> at(Function<Cpu, Integer> placeOf, int index) {
        return groups(placeOf).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .skip(index)
                .findFirst()
                .map(place -> new Cores(machine, place.getValue()));
    }

    /**
     * Returns the cores grouped by node: the fullest first, then always the one that is nearest to
     * all before it, among equals the fullest; those whose node is unknown last.
     */
    private Stream<List<List<Cpu>>> nodeByNode() {
        List<List<List<Cpu>>> rest =
                new ArrayList<>(fullestFirst(cores, Cores::nodeOf).toList());
        List<List<List<Cpu>>> nodes = new ArrayList<>();
        while (!rest.isEmpty()) {
            List<List<Cpu>> next = Collections.min(
                    rest, Comparator.comparingLong(node -> distance(nodes, nodeOf(node.get(0)))));
            rest.remove(next);
            nodes.add(next);
        }
        return nodes.stream().map(this::inside);
    }

    /** Returns the sum of the distances from these nodes. */
    private long distance(List<List<List<Cpu>>> from, Integer to) {
        return to == null
                ? UNKNOWN
                : from.stream()
                        .mapToLong(node -> distance(nodeOf(node.get(0)), to))
                        .sum();
    }

    private int distance(Integer from, Integer to) {
        List<Integer> ids = machine.nodes().stream().map(Node::id).toList();
        List<Integer> distances = machine.nodes().get(ids.indexOf(from)).distances();
        // With offline nodes, distances cannot be assigned to nodes.
        boolean known = distances != null && distances.size() == ids.size();
        return from.equals(to) ? 0 : known ? distances.get(ids.indexOf(to)) : 1;
    }

    private List<List<Cpu>> inside(List<List<Cpu>> node) {
        return node.stream()
                .collect(Collectors.groupingBy(
                        core -> rank(core.get(0).kind()), TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(kind -> fullestFirst(kind, core -> core.get(0).socket()))
                .flatMap(socket -> fullestFirst(socket, core -> core.get(0).cache()))
                .flatMap(Collection::stream)
                .toList();
    }

    private int rank(String kind) {
        return kind == null ? machine.kinds().size() : machine.kinds().indexOf(kind);
    }

    private static Integer nodeOf(List<Cpu> core) {
        return core.get(0).node();
    }

    /**
     * Returns groups of cores, largest first, equal ones by number, the one without a number last.
     */
    private static Stream<List<List<Cpu>>> fullestFirst(
            List<List<Cpu>> cores, Function<List<Cpu>, Integer> groupOf) {
        Map<Integer, List<List<Cpu>>> groups = cores.stream()
                .collect(Collectors.groupingBy(
                        core -> Objects.requireNonNullElse(groupOf.apply(core), UNKNOWN),
                        TreeMap::new,
                        Collectors.toList()));
        return groups.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Integer, List<List<Cpu>>>>comparingInt(
                                group -> group.getKey() == UNKNOWN ? 1 : 0)
                        .thenComparingInt(group -> -group.getValue().size()))
                .map(Map.Entry::getValue);
    }
}
