package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * The named placements: pure functions of the machine and the number of threads.
 *
 * <pre>
 *                     node 0          node 1         seven threads on 2 nodes of 4 cores
 *   COMPACT           p 1 2 3         4 5 6 .        as in the paper: a core each, node by node,
 *                                                    SMT siblings last
 *   PAPER             COMPACT, but with 12 threads or fewer the seventh is on a second socket
 *   SCATTER           p 2 4 6         1 3 5 .        alternating sockets, or nodes of one socket
 *   ONE_NODE          refused: 7 threads, 4 cores    stays on the node with the most usable cores
 *   ISOLATED          only CPUs that the kernel leaves alone (isolcpus), in COMPACT's order
 *   UNPINNED          wherever the kernel schedules them
 *
 *   SIBLINGS          two threads on one core        two threads: what a hand-over costs between
 *   SAME_CACHE        ... on two cores of one        neighbours of each degree; in COMPACT's
 *                     last-level cache               order the first two such CPUs, of one kind
 *   OTHER_CACHE       ... of two, on one socket      of core if possible
 *   OTHER_SOCKET      ... on two sockets
 * </pre>
 */
public enum PlacementRule implements Placement {
    COMPACT((cores, threads) -> cores.compact().bySibling()),
    /**
     * As on the paper's 2 x Xeon X5650, whose sockets have six cores each; COMPACT where no two
     * sockets have six usable cores, and for more threads.
     */
    PAPER((cores, threads) -> Optional.of(cores)
            .filter(any -> threads <= 2 * Cores.PAPER)
            .flatMap(any -> any.onTwoSockets(Cores.PAPER))
            .orElseGet(cores::compact)
            .bySibling()),
    SCATTER((cores, threads) -> {
        if (!cores.canAlternate()) {
            throw new BadInput.NotOnThisMachine("SCATTER alternates between sockets or NUMA"
                    + " nodes, and this machine shows fewer than two with usable CPUs.");
        }
        return cores.alternating().bySibling();
    }),
    ONE_NODE((cores, threads) -> {
        Cores node = cores.fullestNode();
        if (threads > node.count()) {
            throw new BadInput.NotOnThisMachine(
                    ("ONE_NODE gives every thread its own core on one NUMA node: %s threads,"
                                    + " but the largest node has %s usable cores.")
                            .formatted(threads, node.count()));
        }
        return node.compact().bySibling();
    }),
    ISOLATED((cores, threads) -> {
        Cores isolated = cores.isolated();
        if (threads > isolated.count()) {
            throw new BadInput.NotOnThisMachine(
                    ("ISOLATED gives every thread its own isolated core: %s threads, but this"
                                    + " machine has %s such cores (the kernel's isolcpus).")
                            .formatted(threads, isolated.count()));
        }
        return isolated.compact().bySibling();
    }),
    UNPINNED((cores, threads) -> List.of()),
    SIBLINGS(Cores::same, "two usable CPUs of one core"),
    SAME_CACHE(
            alike(Cpu::cache).and((one, other) -> !Cores.same(one, other)),
            "two usable cores that share a last-level cache"),
    OTHER_CACHE(
            alike(Cpu::socket).and(differing(Cpu::cache)),
            "two usable cores of one socket with separate last-level caches"),
    OTHER_SOCKET(differing(Cpu::socket), "usable CPUs on two sockets");

    private final BiFunction<Cores, Integer, List<Cpu>> rule;

    PlacementRule(BiFunction<Cores, Integer, List<Cpu>> rule) {
        this.rule = rule;
    }

    PlacementRule(BiPredicate<Cpu, Cpu> related, String what) {
        rule = (cores, threads) -> two(cores, threads, related, what);
    }

    @Override
    public List<Cpu> cpus(Cores cores, int threads) {
        return rule.apply(cores, threads);
    }

    private List<Cpu> two(Cores cores, int threads, BiPredicate<Cpu, Cpu> related, String what) {
        if (threads > 2) {
            throw new BadInput(
                    ("placement=%s is for two threads, got %s: use one consumer, or another"
                                    + " placement.")
                            .formatted(this, threads));
        }
        List<Cpu> order = cores.compact().bySibling();
        BiPredicate<Cpu, Cpu> alike = (one, other) -> Objects.equals(one.kind(), other.kind());
        return Cores.pair(order, related.and(alike))
                .or(() -> Cores.pair(order, related))
                .orElseThrow(() -> new BadInput.NotOnThisMachine(
                        this + " needs " + what + ", and this machine shows none."));
    }

    private static BiPredicate<Cpu, Cpu> alike(Function<Cpu, Integer> property) {
        return (one, other) -> property.apply(one) != null
                && Objects.equals(property.apply(one), property.apply(other));
    }

    private static BiPredicate<Cpu, Cpu> differing(Function<Cpu, Integer> property) {
        return (one, other) -> property.apply(one) != null
                && property.apply(other) != null
                && !Objects.equals(property.apply(one), property.apply(other));
    }
}
