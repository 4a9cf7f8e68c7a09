package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.stream.IntStream;

/** A way to assign CPUs to threads: a {@link PlacementRule} or a {@link CpuChoice}. */
public interface Placement {
    /** Size of Java-Thread-Affinity's masks. */
    int MOST_CPUS = 1024;

    /** Returns the placement that a word names. */
    static Placement named(String word) {
        return word.matches(CpuChoice.PATTERN) ? new CpuChoice(word) : PlacementRule.valueOf(word);
    }

    /**
     * Returns the CPUs in the order in which threads take them, without duplicates; empty when
     * threads stay unpinned.
     *
     * @throws BadInput when the placement contradicts itself, or when this machine cannot provide
     *     what it promises
     */
    List<Cpu> cpus(Cores cores, int threads);

    /**
     * Assigns a CPU to each role. When roles outnumber CPUs, these are reused from the first.
     *
     * @throws BadInput as {@link #cpus}
     */
    default Plan plan(Topology machine, List<String> roles) {
        int threads = roles.size();
        Cores cores = Cores.usable(machine);
        List<Cpu> order = cpus(cores, threads);
        boolean crowded = machine.quota() != null && threads > machine.quota()
                || order.isEmpty() && threads > cores.count();
        order.stream().limit(threads).filter(cpu -> cpu.id() >= MOST_CPUS).forEach(cpu -> {
            throw new BadInput.NotOnThisMachine(
                    ("CPU %s: threads can be pinned to CPUs 0 to %s. Use UNPINNED, or another"
                                    + " affinity mask.")
                            .formatted(cpu.id(), MOST_CPUS - 1));
        });
        List<Cpu> taken = IntStream.range(0, threads)
                .mapToObj(i -> order.isEmpty() ? null : order.get(i % order.size()))
                .toList();
        return new Plan(IntStream.range(0, threads)
                .mapToObj(i -> Plan.Slot.of(roles.get(i), taken.get(i), taken, crowded))
                .toList());
    }
}
