package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.stream.IntStream;

/** What gives threads their CPUs: a {@link PlacementRule}, or a {@link CpuChoice}. */
public interface Placement {
    /** Java-Thread-Affinity's masks hold so many. */
    int MOST_CPUS = 1024;

    /**
     * The placement that a word names.
     *
     * @throws BadInput when it names none
     */
    static Placement named(String word) {
        return word.matches(CpuChoice.PATTERN)
                ? CpuChoice.parse(word)
                : PlacementRule.valueOf(word);
    }

    /**
     * The CPUs in the order in which threads take them, each once; none when threads are left
     * alone.
     *
     * @throws BadInput when this machine cannot give what the placement promises
     */
    List<Cpu> cpus(Cores cores, int threads);

    /** What it is called in a plan. */
    String word();

    /**
     * Places a thread for each role. When they outnumber the CPUs, CPUs are used again from the
     * first on.
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
            throw new BadInput.NotOnThisMachine("CPU "
                    + cpu.id()
                    + ": threads can be pinned to CPUs 0 to "
                    + (MOST_CPUS - 1)
                    + ". UNPINNED, or another affinity mask, leaves it out.");
        });
        List<Cpu> taken = IntStream.range(0, threads)
                .mapToObj(i -> order.isEmpty() ? null : order.get(i % order.size()))
                .toList();
        return Plan.of(
                word(),
                IntStream.range(0, threads)
                        .mapToObj(i -> Plan.Slot.of(roles.get(i), taken.get(i), taken, crowded))
                        .toList());
    }

    /** The same for one producer and the consumers of {@code threads} threads. */
    default Plan plan(Topology machine, int threads) {
        if (threads < 1) {
            throw new BadInput("--threads: at least 1 thread is needed, got " + threads + ".");
        }
        return plan(machine, Plan.roles(1, threads - 1));
    }
}
