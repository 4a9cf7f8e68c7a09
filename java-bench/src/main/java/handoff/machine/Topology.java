package handoff.machine;

import handoff.input.BadInput;
import java.nio.file.Path;
import java.util.List;

/**
 * The machine as the kernel shows it to this process. What cannot be known is null, never guessed.
 *
 * @param cpus every logical CPU, by id
 * @param nodes NUMA nodes, by id, those with memory only included; empty when the kernel has no
 *     node folder
 * @param quota CPUs' worth of time that a container allows, or null
 * @param virtual true under a hypervisor, which may hide SMT siblings and nodes; null where the CPU
 *     does not tell (not x86)
 */
public record Topology(List<Cpu> cpus, List<Node> nodes, Double quota, Boolean virtual) {
    private static final int LONGEST_QUOTE = 60;

    /**
     * One logical CPU.
     *
     * @param core running number of the physical core, machine-wide, grouped by thread siblings;
     *     null for an offline CPU, or where the kernel does not tell
     * @param node null also where nodes overlap, as the kernel's fake nodes do
     * @param allowed whether this process may run there, or null
     */
    public record Cpu(
            int id, Integer core, Integer socket, Integer node, boolean online, Boolean allowed) {
        boolean usable() {
            return online && !Boolean.FALSE.equals(allowed);
        }
    }

    /**
     * One NUMA node: its online CPUs and its distance to every node, in the order of {@link
     * Topology#nodes}.
     */
    public record Node(int id, List<Integer> cpus, List<Integer> distances) {}

    /**
     * @throws BadInput when {@code root} holds no CPU description, or one that is not the kernel's
     */
    public static Topology read(Path root) {
        try {
            return new TopologyReader(root).read();
        } catch (NumberFormatException malformed) {
            throw new BadInput(root
                    + ": a file that should hold numbers of the kernel's holds something else: "
                    + quote(malformed.getMessage()));
        }
    }

    /** In one line, without what could steer a terminal. */
    private static String quote(String text) {
        String plain = text.replaceAll("[^\\x20-\\x7e]", "?");
        return plain.length() <= LONGEST_QUOTE
                ? plain
                : plain.substring(0, LONGEST_QUOTE) + "...";
    }
}
