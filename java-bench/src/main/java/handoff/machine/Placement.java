package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rule that gives threads their CPUs: a pure function of the machine and the number of threads.
 *
 * <pre>
 *                     node 0          node 1         seven threads on 2 nodes of 4 cores
 *   COMPACT           p 1 2 3         4 5 6 .        the paper's: a core each, node by node,
 *                                                    SMT siblings last
 *   SCATTER           p 2 4 6         1 3 5 .        alternating nodes
 *   ONE_NODE          refused: 7 threads, 4 cores    stays on the node with the most usable cores
 *   UNPINNED          wherever the kernel likes
 * </pre>
 */
public enum Placement {
    COMPACT {
        @Override
        List<Cpu> cpus(Cores cores, int threads) {
            return cores.inOrder(Cores::nodeByNode);
        }
    },
    SCATTER {
        @Override
        List<Cpu> cpus(Cores cores, int threads) {
            if (cores.byNode().size() < 2) {
                throw new BadInput.NotOnThisMachine("SCATTER alternates between NUMA nodes, "
                        + "and this machine shows fewer than two with usable CPUs.");
            }
            return cores.inOrder(Cores::alternating);
        }
    },
    ONE_NODE {
        @Override
        List<Cpu> cpus(Cores cores, int threads) {
            Cores node = cores.largestNode();
            if (threads > node.count()) {
                throw new BadInput.NotOnThisMachine(
                        "ONE_NODE gives every thread a core of its own on one NUMA node: "
                                + threads
                                + " threads were asked for, the largest node has "
                                + node.count()
                                + " usable cores.");
            }
            return node.inOrder(Cores::nodeByNode);
        }
    },
    UNPINNED {
        @Override
        List<Cpu> cpus(Cores cores, int threads) {
            return List.of();
        }
    };

    /** Java-Thread-Affinity's masks hold so many. */
    private static final int MOST_CPUS = 1024;

    /**
     * The CPUs in the order in which threads take them, each once; none when threads are left
     * alone.
     */
    abstract List<Cpu> cpus(Cores cores, int threads);

    /**
     * Places a thread for each role. When they outnumber the CPUs, CPUs are used again from the
     * first on.
     *
     * @throws BadInput when this machine cannot give what the placement promises
     */
    public Plan plan(Topology machine, List<String> roles) {
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
                this,
                IntStream.range(0, threads)
                        .mapToObj(i -> slot(roles.get(i), taken.get(i), taken, crowded))
                        .toList());
    }

    /** The same for one producer and the consumers of {@code threads} threads. */
    public Plan plan(Topology machine, int threads) {
        if (threads < 1) {
            throw new BadInput("--threads: at least 1 thread is needed, got " + threads + ".");
        }
        return plan(machine, Plan.roles(1, threads - 1));
    }

    private static Plan.Slot slot(String role, Cpu cpu, List<Cpu> taken, boolean crowded) {
        if (cpu == null) {
            return new Plan.Slot(role, null, null, null, crowded);
        }
        long onSameCore = taken.stream().filter(other -> Cores.same(cpu, other)).count();
        return new Plan.Slot(role, cpu.id(), cpu.core(), cpu.node(), crowded || onSameCore > 1);
    }
}
