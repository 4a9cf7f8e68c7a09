package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * CPUs that the user chose, in the order in which threads take them: ids, as in {@code
 * CPUS_0_2_4-6}, or places in domains of the machine, as likwid writes them. {@code S0:0-5@S1:0-5}
 * is the first six cores of the first socket, then those of the second, on every machine with such
 * domains.
 *
 * <p>Domains are sockets (S) and NUMA nodes (M), numbered among those with usable CPUs. Places in a
 * domain are in COMPACT's order: every core's first CPU, then every core's second.
 */
public record CpuChoice(String word) implements Placement {
    private static final String PART = "([SM])([0-9]{1,3}):([0-9]{1,4})(?:-([0-9]{1,4}))?";

    /** Syntax of the word, as a regular expression that Java and Python read alike. */
    public static final String PATTERN =
            "CPUS(_[0-9]{1,4}(-[0-9]{1,4})?)+|" + PART + "(?:@" + PART + ")*";

    public static final String EXAMPLE = "CPUS_0_2_4-6 or S0:0-5@S1:0-5";

    /** A range of ids, without a domain, or of places. */
    private static final Pattern RANGE =
            Pattern.compile("(?:([SM])([0-9]{1,3}):|(?<=_))([0-9]{1,4})(?:-([0-9]{1,4}))?");

    private static final Map<String, Function<Cpu, Integer>> DOMAINS =
            Map.of("S", Cpu::socket, "M", Cpu::node);

    @Override
    public List<Cpu> cpus(Cores cores, int threads) {
        List<Cpu> chosen = new ArrayList<>();
        Matcher range = RANGE.matcher(word);
        while (range.find()) {
            int first = Integer.parseInt(range.group(3));
            int last = range.group(4) == null ? first : Integer.parseInt(range.group(4));
            if (last < first) {
                throw new BadInput("placement=" + word + ": " + range.group() + " counts down.");
            }
            for (int place : IntStream.rangeClosed(first, last).toArray()) {
                if (chosen.size() < threads) {
                    Cpu cpu = range.group(1) == null
                            ? withId(place, cores.machine())
                            : inDomain(range, place, cores);
                    if (chosen.contains(cpu)) {
                        throw new BadInput(
                                "placement=" + word + ": CPU " + cpu.id() + " is listed twice.");
                    }
                    chosen.add(cpu);
                }
            }
        }
        return chosen;
    }

    private Cpu withId(int id, Topology machine) {
        Cpu cpu = machine.cpus().stream()
                .filter(any -> any.id() == id)
                .findFirst()
                .orElse(null);
        if (cpu != null && (cpu.usable() || cpu.online() && cpu.isolated())) {
            return cpu;
        }
        String why = cpu == null
                ? "does not exist"
                : cpu.online() ? "is not available to this process" : "is offline";
        throw new BadInput.NotOnThisMachine("placement=%s: CPU %s %s; choose from %s."
                .formatted(word, id, why, machine.usable()));
    }

    private Cpu inDomain(MatchResult range, int place, Cores cores) {
        List<Cpu> domain = cores.compact()
                .at(DOMAINS.get(range.group(1)), Integer.parseInt(range.group(2)))
                .map(Cores::bySibling)
                .orElse(List.of());
        if (place >= domain.size()) {
            throw new BadInput.NotOnThisMachine(
                    "placement=%s: %s needs %s usable CPUs, and this machine shows %s there."
                            .formatted(word, range.group(), place + 1, domain.size()));
        }
        return domain.get(place);
    }
}
