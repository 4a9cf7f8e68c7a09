package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** CPUs that the user chose: {@code CPUS_0_2_4-6} assigns them to the threads in this order. */
public record CpuChoice(String word, List<Integer> ids) implements Placement {
    /** Syntax of the word, as a regular expression that Java and Python read alike. */
    public static final String PATTERN = "CPUS(_[0-9]{1,4}(-[0-9]{1,4})?)+";

    public static final String EXAMPLE = "CPUS_0_2_4-6";

    private static final String PREFIX = "CPUS_";

    static CpuChoice parse(String word) {
        Set<Integer> ids = new LinkedHashSet<>();
        for (String range : word.substring(PREFIX.length()).split("_")) {
            List<Integer> ends =
                    List.of(range.split("-")).stream().map(Integer::valueOf).toList();
            int last = ends.get(ends.size() - 1);
            if (last < ends.get(0)) {
                throw new BadInput(
                        "placement=" + word + ": the range " + range + " ends before it starts.");
            }
            for (int id : IntStream.rangeClosed(ends.get(0), last).toArray()) {
                if (!ids.add(id)) {
                    throw new BadInput("placement=" + word + ": CPU " + id + " is listed twice.");
                }
            }
        }
        return new CpuChoice(word, List.copyOf(ids));
    }

    @Override
    public List<Cpu> cpus(Cores cores, int threads) {
        Map<Integer, Cpu> known = cores.machine().cpus().stream()
                .collect(Collectors.toMap(Cpu::id, Function.identity()));
        List<Cpu> chosen = new ArrayList<>();
        for (int id : ids.subList(0, Math.min(threads, ids.size()))) {
            Cpu cpu = known.get(id);
            if (cpu == null || !cpu.usable() && !(cpu.online() && cpu.isolated())) {
                String why = cpu == null
                        ? "does not exist"
                        : cpu.online() ? "is not available to this process" : "is offline";
                throw new BadInput.NotOnThisMachine("placement=%s: CPU %s %s; choose from %s."
                        .formatted(word, id, why, cores.machine().usable()));
            }
            chosen.add(cpu);
        }
        return chosen;
    }
}
