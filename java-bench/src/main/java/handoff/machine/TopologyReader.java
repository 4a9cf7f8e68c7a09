package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import handoff.machine.Topology.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** From the kernel's files to a {@link Topology}, whatever kernel wrote them. */
final class TopologyReader {
    private static final String CPU = "sys/devices/system/cpu/";
    private static final String NODE = "sys/devices/system/node/";

    private final Path root;
    private final SysFiles files;

    TopologyReader(Path root) {
        this.root = root;
        files = new SysFiles(root);
    }

    /**
     * @throws BadInput when the root holds no CPU description
     * @throws NumberFormatException when a file is not as the kernel writes it
     */
    Topology read() {
        SortedSet<Integer> present = present();
        SortedSet<Integer> online = online(present);
        List<Node> nodes = nodes(online);
        Map<Integer, Integer> nodeOf = nodeOf(nodes);
        Map<Integer, Integer> coreOf = coreOf(online);
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
        return new Topology(cpus, nodes, Quota.read(files).orElse(null), virtual());
    }

    private SortedSet<Integer> present() {
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
    private SortedSet<Integer> online(SortedSet<Integer> present) {
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
        } catch (IOException absent) {
            return ids;
        }
        return ids;
    }

    /** Groups by thread siblings alone: (package, core id) pairs collide on real machines. */
    private Map<Integer, Integer> coreOf(SortedSet<Integer> online) {
        Map<Integer, Integer> coreOf = new HashMap<>();
        int next = 0;
        for (int id : online) {
            SortedSet<Integer> siblings = siblings(CPU + "cpu" + id + "/topology/");
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
    private SortedSet<Integer> siblings(String topology) {
        return files.cpus(topology + "core_cpus_list", topology + "core_cpus")
                .or(() -> files.cpus(
                        topology + "thread_siblings_list", topology + "thread_siblings"))
                .orElse(new TreeSet<>());
    }

    private List<Node> nodes(SortedSet<Integer> online) {
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

    private Boolean virtual() {
        return files.beginning("proc/cpuinfo")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith("flags")).findFirst())
                .map(flags -> List.of(flags.split("\\s+")).contains("hypervisor"))
                .orElse(null);
    }
}
