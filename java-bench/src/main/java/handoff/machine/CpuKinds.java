package handoff.machine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kind of core of each CPU, where a machine mixes kinds: performance and efficiency cores, or
 * big and little ones.
 *
 * <p>Cores of one kind share their design, which is the kernel's name for their unit on x86 and the
 * CPU part on ARM, and their class of speed. Either sign alone misses kinds: the low-power
 * efficiency cores of Meteor Lake belong to the unit of the others, and on some boards cores of two
 * designs have the same greatest frequency.
 *
 * @param kindOf CPU id to the name of its kind; empty when all CPUs are alike
 * @param fastestFirst the names of the kinds
 */
record CpuKinds(Map<Integer, String> kindOf, List<String> fastestFirst) {
    private static final String CPU = "sys/devices/system/cpu/cpu";
    private static final String UNITS = "sys/devices";
    private static final String UNIT = "cpu_";
    private static final List<String> X86 = List.of("core", "atom", "lowpower");
    private static final Pattern PROCESSOR = Pattern.compile("processor\\s*:\\s*(\\d{1,6})");
    private static final Pattern PART = Pattern.compile("CPU part\\s*:\\s*(\\w{1,20})");

    /**
     * Smallest speed ratio of two classes. Favoured cores differ by less, and so do the two dies of
     * a Ryzen 7950X3D, 5.76 and 5.26 GHz: these cores are alike, and what a hand-over moves fits
     * into their second-level caches, which have the same size.
     */
    private static final double GAP = 1.10;

    private static final CpuKinds ALIKE = new CpuKinds(Map.of(), List.of());

    /** The speed of each CPU, and how it is written in a name. */
    private record Speeds(Map<Integer, Integer> of, String format, int unit) {
        int get(int cpu) {
            return of.getOrDefault(cpu, 1);
        }

        String label(int cpu) {
            return String.format(format, get(cpu) / unit);
        }
    }

    static CpuKinds read(SysFiles files, SortedSet<Integer> online) {
        Map<Integer, String> designOf = signs(units(files), online)
                .or(() -> signs(parts(files), online))
                .orElseGet(() -> new HashMap<>());
        online.forEach(cpu -> designOf.putIfAbsent(cpu, ""));
        Speeds speeds = values(files, online, "/cpu_capacity")
                .map(capacities -> new Speeds(capacities, "capacity %d", 1))
                .or(() -> values(files, online, "/cpufreq/cpuinfo_max_freq")
                        .map(frequencies -> new Speeds(frequencies, "%d MHz", 1000)))
                .orElse(new Speeds(Map.of(), "%d", 1));
        return grouped(online, designOf, speeds);
    }

    /** Starts a kind at each design, and where a core is slower than the one before by the gap. */
    private static CpuKinds grouped(
            SortedSet<Integer> online, Map<Integer, String> designOf, Speeds speeds) {
        Map<Integer, String> kindOf = new HashMap<>();
        Set<String> fastestFirst = new LinkedHashSet<>();
        Integer before = null;
        for (int cpu : online.stream().sorted(fastestFirst(designOf, speeds)).toList()) {
            String design = designOf.get(cpu);
            boolean first = before == null || !design.equals(designOf.get(before));
            boolean slower = !first && speeds.get(before) >= speeds.get(cpu) * GAP;
            String kind = kindOf.get(before);
            if (first && !design.isEmpty()) {
                kind = design;
            } else if (first || slower) {
                kind = (design + " " + speeds.label(cpu)).strip();
            }
            kindOf.put(cpu, kind);
            fastestFirst.add(kind);
            before = cpu;
        }
        return fastestFirst.size() < 2 ? ALIKE : new CpuKinds(kindOf, List.copyOf(fastestFirst));
    }

    /**
     * Orders CPUs by design, then the fastest first. Designs are in order of their units' names,
     * else of their fastest core; where neither differs, the higher CPU part, which is the big
     * core's in nearly all pairs of ARM's, comes first.
     */
    private static Comparator<Integer> fastestFirst(Map<Integer, String> designOf, Speeds speeds) {
        Map<String, Integer> fastest = new HashMap<>();
        designOf.forEach((cpu, design) -> fastest.merge(design, speeds.get(cpu), Math::max));
        return Comparator.<Integer>comparingInt(cpu -> rank(designOf.get(cpu)))
                .thenComparing(cpu -> fastest.get(designOf.get(cpu)), Comparator.reverseOrder())
                .thenComparing(designOf::get, Comparator.reverseOrder())
                .thenComparing(speeds::get, Comparator.reverseOrder());
    }

    private static int rank(String design) {
        return X86.contains(design) ? X86.indexOf(design) : X86.size();
    }

    /** Returns the signs of all online CPUs; empty when any has none, or all have the same. */
    private static Optional<Map<Integer, String>> signs(
            Map<Integer, String> signs, SortedSet<Integer> online) {
        signs.keySet().retainAll(online);
        boolean differ = new HashSet<>(signs.values()).size() > 1;
        return differ && signs.size() == online.size() ? Optional.of(signs) : Optional.empty();
    }

    /** Reads the units from {@code /sys/devices/cpu_core/cpus} and similar files. */
    private static Map<Integer, String> units(SysFiles files) {
        Map<Integer, String> unitOf = new HashMap<>();
        for (String unit : files.names(UNITS, UNIT)) {
            files.cpus(UNITS + "/" + unit + "/cpus").stream()
                    .flatMap(SortedSet::stream)
                    .forEach(cpu -> unitOf.put(cpu, unit.substring(UNIT.length())));
        }
        return unitOf;
    }

    /** Reads the CPU parts of {@code /proc/cpuinfo}; mixed machines fit into its start. */
    private static Map<Integer, String> parts(SysFiles files) {
        Map<Integer, String> partOf = new HashMap<>();
        Integer cpu = null;
        for (String line : files.head("proc/cpuinfo").orElse("").lines().toList()) {
            Matcher processor = PROCESSOR.matcher(line);
            Matcher part = PART.matcher(line);
            if (processor.matches()) {
                cpu = Integer.valueOf(processor.group(1));
            } else if (cpu != null && part.matches()) {
                partOf.put(cpu, "part " + part.group(1));
            }
        }
        return partOf;
    }

    /** Reads a positive number for every online CPU; empty when any CPU has none. */
    private static Optional<Map<Integer, Integer>> values(
            SysFiles files, SortedSet<Integer> online, String file) {
        Map<Integer, Integer> values = new HashMap<>();
        for (int cpu : online) {
            Optional<Integer> value = files.number(CPU + cpu + file).filter(n -> n > 0);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.put(cpu, value.get());
        }
        return Optional.of(values);
    }
}
