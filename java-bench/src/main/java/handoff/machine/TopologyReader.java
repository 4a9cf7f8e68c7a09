package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import handoff.machine.Topology.Node;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Reads a {@link Topology} from the files of any kernel version. */
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
     * @param allowedList the CPUs to treat as allowed, or null for the process's own mask
     * @throws BadInput when the root holds no CPU description
     * @throws NumberFormatException when a file is malformed
     */
    Topology read(String allowedList) {
        SortedSet<Integer> present = files.cpus(CPU + "present")
                .orElseThrow(
                        () -> new BadInput(root + ": expected " + CPU + "present, found none."));
        SortedSet<Integer> online = files.cpus(CPU + "online").orElse(present);
        List<Node> nodes = nodes(online);
        Map<Integer, Integer> nodeOf = nodeOf(nodes);
        Map<Integer, Integer> coreOf = numbered(online, this::siblings);
        Map<Integer, Integer> dieOf =
                numbered(online, cpu -> listed(topology(cpu) + "die_cpus_list"));
        Map<Integer, Integer> cacheOf = numbered(online, this::lastLevelCache);
        CpuKinds kinds = CpuKinds.read(files, online);
        SortedSet<Integer> isolated = listed(CPU + "isolated");
        SortedSet<Integer> tickless = listed(CPU + "nohz_full");
        var allowed = Optional.ofNullable(allowedList)
                .or(() -> files.field("proc/self/status", "Cpus_allowed_list"))
                .map(CpuList::parse);
        List<Cpu> cpus = present.stream()
                .map(id -> new Cpu(
                        id,
                        coreOf.get(id),
                        online.contains(id) ? socket(id) : null,
                        dieOf.get(id),
                        nodeOf.get(id),
                        cacheOf.get(id),
                        kinds.kindOf().get(id),
                        online.contains(id),
                        isolated.contains(id),
                        tickless.contains(id),
                        allowed.map(set -> set.contains(id)).orElse(null)))
                .toList();
        return new Topology(
                cpus, nodes, kinds.fastestFirst(), Quota.read(files).orElse(null), virtual());
    }

    /** Numbers groups by their sets of CPUs: (package, core id) pairs collide on real machines. */
    private static Map<Integer, Integer> numbered(
            SortedSet<Integer> online, IntFunction<SortedSet<Integer>> sharing) {
        Map<Integer, Integer> numberOf = new HashMap<>();
        int next = 0;
        for (int id : online) {
            if (!numberOf.containsKey(id)) {
                SortedSet<Integer> group = sharing.apply(id);
                group.retainAll(online);
                for (int other : group) {
                    numberOf.putIfAbsent(other, next);
                }
                next += group.isEmpty() ? 0 : 1;
            }
        }
        return numberOf;
    }

    private static String topology(int cpu) {
        return CPU + "cpu" + cpu + "/topology/";
    }

    private Integer socket(int cpu) {
        return files.number(topology(cpu) + "physical_package_id").orElse(null);
    }

    /** Reads the CPUs of a core, under the files' current names or else those of older kernels. */
    private SortedSet<Integer> siblings(int cpu) {
        String folder = topology(cpu);
        return files.cpus(folder + "core_cpus_list")
                .or(() -> files.cpus(folder + "thread_siblings_list"))
                .orElse(new TreeSet<>());
    }

    private SortedSet<Integer> lastLevelCache(int cpu) {
        String caches = CPU + "cpu" + cpu + "/cache/";
        return files.names(caches, "index").stream()
                .map(index -> caches + index + "/")
                .filter(cache -> !files.text(cache + "type").orElse("").equals("Instruction"))
                .filter(cache -> files.number(cache + "level").isPresent())
                .max(Comparator.comparing(cache -> files.number(cache + "level").orElseThrow()))
                .flatMap(cache -> files.cpus(cache + "shared_cpu_list"))
                .orElse(new TreeSet<>());
    }

    /** Reads a list, which some kernels write as {@code (null)} when it is empty. */
    private SortedSet<Integer> listed(String file) {
        return files.text(file)
                .filter(text -> !text.startsWith("("))
                .map(CpuList::parse)
                .orElse(new TreeSet<>());
    }

    private List<Node> nodes(SortedSet<Integer> online) {
        return files.names(NODE, "node").stream()
                .map(name -> name.substring("node".length()))
                .filter(number -> number.matches("\\d{1,6}"))
                .map(Integer::valueOf)
                .sorted()
                .map(id -> {
                    String node = NODE + "node" + id;
                    SortedSet<Integer> cpus = listed(node + "/cpulist");
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

    /** Returns each CPU's node; empty when nodes overlap, which makes a CPU's node ambiguous. */
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
        return files.head("proc/cpuinfo")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith("flags")).findFirst())
                .map(flags -> List.of(flags.split("\\s+")).contains("hypervisor"))
                .orElse(null);
    }
}
