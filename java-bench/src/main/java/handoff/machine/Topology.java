package handoff.machine;

import handoff.input.BadInput;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The machine as the kernel shows it to this process. Unknown values are null, never guessed.
 *
 * @param cpus every logical CPU, by id
 * @param nodes NUMA nodes, by id, including those with memory only; empty when the kernel has no
 *     node folder
 * @param kinds of core, fastest first; empty when all are alike or the kernel reports none
 * @param quota CPUs' worth of time that a container allows, or null
 * @param virtual true under a hypervisor, which may hide SMT siblings and nodes; null where the CPU
 *     does not report it (not x86)
 */
public record Topology(
        List<Cpu> cpus, List<Node> nodes, List<String> kinds, Double quota, Boolean virtual) {
    /**
     * System property with the CPUs, such as {@code 0-5,8}, that the runner planned this JVM's
     * threads with; the JVM's own mask may differ.
     */
    public static final String ALLOWED = "handoff.allowed";

    /**
     * One logical CPU. Cores, dies and last-level caches are numbered consecutively, machine-wide.
     *
     * @param core the physical core, by thread siblings; null for an offline CPU or where the
     *     kernel does not report it, as are the next five
     * @param node null also where nodes overlap, as the kernel's fake nodes do
     * @param cache the cache of the highest level
     * @param kind one of the machine's {@link Topology#kinds}
     * @param isolated whether the kernel leaves it alone, {@code isolcpus}
     * @param tickless whether it runs a single thread without a timer, {@code nohz_full}
     * @param allowed whether this process may run there, or null
     */
    public record Cpu(
            int id,
            Integer core,
            Integer socket,
            Integer die,
            Integer node,
            Integer cache,
            String kind,
            boolean online,
            boolean isolated,
            boolean tickless,
            Boolean allowed) {
        boolean usable() {
            return online && !Boolean.FALSE.equals(allowed);
        }
    }

    /**
     * One NUMA node: its online CPUs and its distance to every node, in the order of {@link
     * Topology#nodes}.
     */
    public record Node(int id, List<Integer> cpus, List<Integer> distances) {}

    /** Reads this machine; see {@link #read}. */
    public static Topology here() {
        return read(Path.of("/"));
    }

    /**
     * Reads the machine whose sys and proc are in {@code root}; in this one's, {@link #ALLOWED}, if
     * set, replaces the process's own mask.
     *
     * @throws BadInput when {@code root} holds no CPU description, or a malformed one
     */
    public static Topology read(Path root) {
        String allowed = root.equals(Path.of("/")) ? System.getProperty(ALLOWED) : null;
        try {
            return new TopologyReader(root).read(allowed);
        } catch (NumberFormatException malformed) {
            throw new BadInput(root + ": malformed kernel file: " + malformed.getMessage());
        }
    }

    /** Returns the CPUs that this process may use, as a list such as {@code 0-5,8}. */
    String usable() {
        SortedSet<Integer> ids = new TreeSet<>();
        cpus.stream().filter(Cpu::usable).map(Cpu::id).forEach(ids::add);
        return CpuList.format(ids);
    }
}
