package handoff.machine;

import handoff.input.BadInput;
import handoff.machine.Topology.Cpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Places in domains of the machine, as likwid writes them: {@code S0:0-5@S1:0-5} assigns the first
 * six cores of the first socket, then those of the second. Unlike a {@link CpuChoice}, it is valid
 * on every machine with such domains.
 *
 * <p>Domains are sockets (S) and NUMA nodes (M), numbered among those with usable CPUs. Places in a
 * domain are in COMPACT's order: every core's first CPU, then every core's second.
 */
public record DomainChoice(String word) implements Placement {
    private static final String PART = "([SM])([0-9]{1,3}):([0-9]{1,4})(?:-([0-9]{1,4}))?";

    /** Syntax of the word, as a regular expression that Java and Python read alike. */
    public static final String PATTERN = PART + "(?:@" + PART + ")*";

    private static final Map<String, Function<Cpu, Integer>> DOMAINS =
            Map.of("S", Cpu::socket, "M", Cpu::node);

    @Override
    public List<Cpu> cpus(Cores cores, int threads) {
        List<Cpu> chosen = new ArrayList<>();
        Matcher part = Pattern.compile(PART).matcher(word);
        while (part.find()) {
            int first = Integer.parseInt(part.group(3));
            int last = part.group(4) == null ? first : Integer.parseInt(part.group(4));
            if (last < first) {
                throw new BadInput("placement=" + word + ": " + part.group() + " counts down.");
            }
            List<Cpu> domain = cores.compact()
                    .at(DOMAINS.get(part.group(1)), Integer.parseInt(part.group(2)))
                    .map(Cores::bySibling)
                    .orElse(List.of());
            for (int place : IntStream.rangeClosed(first, last).toArray()) {
                if (chosen.size() < threads) {
                    chosen.add(cpu(domain, place, part.group(), chosen));
                }
            }
        }
        return chosen;
    }

    private Cpu cpu(List<Cpu> domain, int place, String part, List<Cpu> chosen) {
        if (place >= domain.size()) {
            throw new BadInput.NotOnThisMachine(
                    "placement=%s: %s needs %s usable CPUs, and this machine shows %s there."
                            .formatted(word, part, place + 1, domain.size()));
        }
        if (chosen.contains(domain.get(place))) {
            throw new BadInput(
                    "placement=" + word + ": CPU " + domain.get(place).id() + " is listed twice.");
        }
        return domain.get(place);
    }
}
