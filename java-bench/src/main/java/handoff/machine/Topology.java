package handoff.machine;

import handoff.input.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

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
    private static final String CPU = "sys/devices/system/cpu/";
    private static final int LONGEST_QUOTE = 60;
    private static final String NODE = "sys/devices/system/node/";

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
            return readFiles(root);
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

    private static Topology readFiles(Path root) {
        SysFiles files = new SysFiles(root);
        SortedSet<Integer> present = present(files, root);
        SortedSet<Integer> online = online(files, present);
        List<Node> nodes = nodes(files, root, online);
        Map<Integer, Integer> nodeOf = nodeOf(nodes);
        Map<Integer, Integer> coreOf = coreOf(files, online);
        var allowed = files.field("proc/self/status", "Cpus_allowed_list").map(CpuList::parse);
        List<Cpu> cpus = present.stream()
                .map(id -> new Cpu(
                        id,
                        coreOf.get(id),
                        online.contains(id)
                                ? files.number(CPU + "cpu" + id + "/topology/physical_package_id")
                                        .orElse(null)
                                : null,
                        nodeOf.get(id),
                        online.contains(id),
                        allowed.map(set -> set.contains(id)).orElse(null)))
                .toList();
        return new Topology(cpus, nodes, Quota.read(files).orElse(null), virtual(files));
    }

    private static SortedSet<Integer> present(SysFiles files, Path root) {
        SortedSet<Integer> present = files.text(CPU + "present")
                .map(CpuList::parse)
                .orElseGet(() -> numbered(root.resolve(CPU), "cpu"));
        if (present.isEmpty()) {
            throw new BadInput(root
                    + ": holds no "
                    + CPU
                    + "present and no CPU folders, so it describes no machine.");
        }
        return present;
    }

    /** Where there is no list, each CPU's own file; CPU 0 often has none, and is online. */
    private static SortedSet<Integer> online(SysFiles files, SortedSet<Integer> present) {
        return files.text(CPU + "online").map(CpuList::parse).orElseGet(() -> {
            SortedSet<Integer> online = new TreeSet<>(present);
            online.removeIf(
                    id -> files.number(CPU + "cpu" + id + "/online").orElse(1) == 0);
            return online;
        });
    }

    private static SortedSet<Integer> numbered(Path folder, String prefix) {
        SortedSet<Integer> ids = new TreeSet<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches(prefix + "\\d+"))
                    .forEach(name -> ids.add(Integer.valueOf(name.substring(prefix.length()))));
        } catch (java.io.IOException absent) {
            return ids;
        }
        return ids;
    }

    /** Groups by thread siblings alone: (package, core id) pairs collide on real machines. */
    private static Map<Integer, Integer> coreOf(SysFiles files, SortedSet<Integer> online) {
        Map<Integer, Integer> coreOf = new HashMap<>();
        int next = 0;
        for (int id : online) {
            SortedSet<Integer> siblings = siblings(files, CPU + "cpu" + id + "/topology/");
            if (!siblings.isEmpty() && !coreOf.containsKey(id)) {
                for (int sibling : siblings) {
                    if (online.contains(sibling)) {
                        coreOf.put(sibling, next);
                    }
                }
                next++;
            }
        }
        return coreOf;
    }

    /** The kernel has renamed the files, and keeps the older names for a while. */
    private static SortedSet<Integer> siblings(SysFiles files, String topology) {
        return files.cpus(topology + "core_cpus_list", topology + "core_cpus")
                .or(() -> files.cpus(
                        topology + "thread_siblings_list", topology + "thread_siblings"))
                .orElse(new TreeSet<>());
    }

    private static List<Node> nodes(SysFiles files, Path root, SortedSet<Integer> online) {
        return numbered(root.resolve(NODE), "node").stream()
                .map(id -> {
                    String node = NODE + "node" + id;
                    SortedSet<Integer> cpus =
                            files.cpus(node + "/cpulist", node + "/cpumap").orElse(new TreeSet<>());
                    // Old kernels list offline CPUs here too.
                    cpus.retainAll(online);
                    List<Integer> distances = files.text(node + "/distance")
                            .map(text -> Stream.of(text.split("\\s+"))
                                    .map(Integer::valueOf)
                                    .toList())
                            .orElse(null);
                    return new Node(id, List.copyOf(cpus), distances);
                })
                .toList();
    }

    /**
     * Empty unless the nodes share no CPU: with overlapping nodes nobody can say where a CPU is.
     */
    private static Map<Integer, Integer> nodeOf(List<Node> nodes) {
        Map<Integer, Integer> nodeOf = new TreeMap<>();
        for (Node node : nodes) {
            for (int cpu : node.cpus()) {
                if (nodeOf.put(cpu, node.id()) != null) {
                    return Map.of();
                }
            }
        }
        return nodeOf;
    }

    private static Boolean virtual(SysFiles files) {
        return files.beginning("proc/cpuinfo")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith("flags")).findFirst())
                .map(flags -> List.of(flags.split("\\s+")).contains("hypervisor"))
                .orElse(null);
    }
}
