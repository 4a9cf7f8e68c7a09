package handoff.machine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The kind of core of each CPU, where a machine mixes kinds: performance and efficiency cores, or
 * big and little ones.
 *
 * @param kindOf CPU id to the name of its kind; empty when all CPUs are alike
 * @param fastestFirst the names of the kinds
 */
record CpuKinds(Map<Integer, String> kindOf, List<String> fastestFirst) {
    private static final String CPU = "sys/devices/system/cpu/cpu";
    private static final String UNITS = "sys/devices";
    private static final String UNIT = "cpu_";
    private static final List<String> X86 = List.of("core", "atom", "lowpower");

    /** Smallest speed ratio of two kinds; favoured cores differ by less and are not a kind. */
    private static final double GAP = 1.10;

    private static final CpuKinds ALIKE = new CpuKinds(Map.of(), List.of());

    /** Reads the kinds by name on x86, else from capacities, else from maximum frequencies. */
    static CpuKinds read(SysFiles files, SortedSet<Integer> online) {
        return named(files, online)
                .or(() -> values(files, online, "/cpu_capacity")
                        .map(capacities -> grouped(capacities, "capacity %d", 1)))
                .or(() -> values(files, online, "/cpufreq/cpuinfo_max_freq")
                        .map(frequencies -> grouped(frequencies, "%d MHz", 1000)))
                .orElse(ALIKE);
    }

    /** Reads the kinds from {@code /sys/devices/cpu_core/cpus} and similar files. */
    private static Optional<CpuKinds> named(SysFiles files, SortedSet<Integer> online) {
        Map<Integer, String> kindOf = new HashMap<>();
        SortedSet<String> names = new TreeSet<>(Comparator.<String>comparingInt(
                        name -> X86.contains(name) ? X86.indexOf(name) : X86.size())
                .thenComparing(Comparator.naturalOrder()));
        for (String unit : files.names(UNITS, UNIT)) {
            String name = unit.substring(UNIT.length());
            files.text(UNITS + "/" + unit + "/cpus").map(CpuList::parse).stream()
                    .flatMap(SortedSet::stream)
                    .filter(online::contains)
                    .forEach(cpu -> {
                        kindOf.put(cpu, name);
                        names.add(name);
                    });
        }
        if (!kindOf.keySet().containsAll(online)) {
            return Optional.empty();
        }
        return Optional.of(names.size() < 2 ? ALIKE : new CpuKinds(kindOf, List.copyOf(names)));
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

    /** Separates kinds wherever the next faster CPU is faster by {@link #GAP} or more. */
    private static CpuKinds grouped(Map<Integer, Integer> values, String name, int unit) {
        SortedMap<Integer, String> nameOf = new TreeMap<>(Comparator.reverseOrder());
        List<String> fastestFirst = new ArrayList<>();
        int above = Integer.MAX_VALUE;
        for (int value : new TreeSet<>(values.values()).descendingSet()) {
            if (above >= value * GAP) {
                fastestFirst.add(String.format(name, value / unit));
            }
            nameOf.put(value, fastestFirst.get(fastestFirst.size() - 1));
            above = value;
        }
        if (fastestFirst.size() < 2) {
            return ALIKE;
        }
        Map<Integer, String> kindOf = new HashMap<>();
        values.forEach((cpu, value) -> kindOf.put(cpu, nameOf.get(value)));
        return new CpuKinds(kindOf, fastestFirst);
    }
}
