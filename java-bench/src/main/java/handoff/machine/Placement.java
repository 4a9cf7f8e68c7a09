package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A way to assign CPUs to threads: a {@link PlacementRule}, a {@link DomainChoice} or a {@link
 * CpuChoice}.
 */
public interface Placement {
    /** Syntax of a word that is not a rule's name. */
    String PATTERN = CpuChoice.PATTERN + "|" + DomainChoice.PATTERN;

    /** Two such words. */
    String EXAMPLE = CpuChoice.EXAMPLE + " or S0:0-5@S1:0-5";

    /** Size of Java-Thread-Affinity's masks. */
    int MOST_CPUS = 1024;

    /**
     * Returns the placement that a word names.
     *
     * @throws BadInput when its list of CPUs contradicts itself
     */
    static Placement named(String word) {
        if (word.matches(CpuChoice.PATTERN)) {
            return CpuChoice.parse(word);
        }
        return word.matches(DomainChoice.PATTERN)
                ? new DomainChoice(word)
                : PlacementRule.valueOf(word);
    }

    /**
     * Returns the CPUs in the order in which threads take them, without duplicates; empty when
     * threads stay unpinned.
     *
     * @throws BadInput when this machine cannot provide what the placement promises
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
