package handoff.cli;

import handoff.input.BadInput;
import handoff.machine.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The jar's entry point: a study's name measures, any other command describes. A user's mistake
 * prints one sentence and exits with code 2.
 */
public final class Main {
    private static final List<String> QUERIES = List.of("topology", "studies", "check");
    private static final String USAGE = """
            usage: java -jar benchmarks.jar WORD ...

              STUDY [-p name=value ...] [JMH options]
                         measure one study with JMH; -jvmArgs must name the collector,
                         such as -XX:+UseParallelGC; STUDY is one of:
                         %s
              topology   this machine, as JSON
              studies    every study's parameters and mechanisms, as JSON
              check      reads a JSON array of points, [{"study": S, name: value, ...}],
                         and answers each with its plan or a sentence, as JSON\
            """.formatted(Study.words());

    private Main() {}

    public static void main(String[] args) throws IOException {
        try {
            run(args);
        } catch (BadInput mistake) {
            System.err.println(mistake.getMessage());
            System.exit(2);
        }
    }

    private static void run(String[] args) throws IOException {
        String word = args.length == 0 ? "help" : args[0];
        List<String> options = List.of(args).subList(Math.min(1, args.length), args.length);
        if (QUERIES.contains(word) && !options.isEmpty()) {
            throw new BadInput(word + ": unknown option " + options.get(0) + ".");
        }
        switch (word) {
            case "--help", "-h", "help" -> System.out.println(USAGE);
            case "topology" -> Commands.topology();
            case "studies" -> Commands.studies();
            case "check" -> Commands.check(System.in);
            default ->
                measure(
                        Study.named(word)
                                .orElseThrow(() -> new BadInput("unknown command '" + word
                                        + "'; choose from " + Study.words() + ", "
                                        + String.join(", ", QUERIES) + ".")),
                        options);
        }
    }

    private static void measure(Study study, List<String> options) throws IOException {
        points(options).forEach(point -> study.place(point, Topology.here()));
        List<String> jmh = new ArrayList<>(List.of(study.include()));
        jmh.addAll(options);
        org.openjdk.jmh.Main.main(jmh.toArray(String[]::new));
    }

    /** Returns every combination of the values that {@code -p} gives; JMH splits them on commas. */
    private static List<Map<String, String>> points(List<String> options) {
        List<Map<String, String>> points = new ArrayList<>(List.of(Map.of()));
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i).startsWith("-p")
                    && !List.of("-p", "-prof").contains(options.get(i))) {
                throw new BadInput(options.get(i) + ": write -p name=value, with a space.");
            }
            if (options.get(i).equals("-p")) {
                String[] pair =
                        i + 1 < options.size() ? options.get(i + 1).split("=", 2) : new String[0];
                if (pair.length < 2) {
                    throw new BadInput("-p takes name=value.");
                }
                points = points.stream()
                        .flatMap(point -> Arrays.stream(pair[1].split(",", -1))
                                .map(value -> with(point, pair[0], value)))
                        .toList();
            }
        }
        return points;
    }

    private static Map<String, String> with(Map<String, String> point, String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(point);
        more.put(name, value);
        return more;
    }
}
