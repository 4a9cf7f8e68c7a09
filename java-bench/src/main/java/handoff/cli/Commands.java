package handoff.cli;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.reflect.TypeToken;
import handoff.input.BadInput;
import handoff.input.Parameter;
import handoff.machine.Topology;
import handoff.study.StudyBenchmark;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The commands that describe and do not measure; each prints one JSON document. */
final class Commands {
    private static final Gson JSON =
            new GsonBuilder().serializeNulls().setPrettyPrinting().create();

    /** Leaves out the fields that a parameter does not have. */
    private static final Gson BRIEF = new GsonBuilder().setPrettyPrinting().create();

    private static final String ROOT = "root";

    private Commands() {}

    static void topology() {
        System.out.println(JSON.toJson(Topology.here()));
    }

    /**
     * Prints {study: {parameters, mechanisms: {name: [parameters that matter]}, measures, fills,
     * shortens}}, the content of data/studies.json.
     */
    static void studies() {
        System.out.println(describe());
    }

    static String describe() {
        record Description(
                List<Parameter> parameters,
                Map<String, List<String>> mechanisms,
                List<String> measures,
                boolean fills,
                boolean shortens) {}
        Map<String, Description> studies = new LinkedHashMap<>();
        for (Study study : Study.values()) {
            StudyBenchmark benchmark = study.open();
            studies.put(
                    study.word(),
                    new Description(
                            List.copyOf(study.parameters().values()),
                            benchmark.mechanisms(),
                            benchmark.measures(),
                            benchmark.fills(),
                            benchmark.shortens()));
        }
        return BRIEF.toJson(studies);
    }

    /**
     * Answers each point with {@code {plan, heap, housekeeping}}, of which the last two may be
     * null, with {@code {mistake: sentence}} if it is wrong on any machine, or with {@code
     * {unavailable: sentence}} if only this machine cannot run it. A point's {@code root} is the
     * folder of another machine's sys and proc; alone, it is answered with that machine's topology.
     */
    static void check(InputStream input) {
        try {
            List<Map<String, String>> points = JSON.fromJson(
                    new InputStreamReader(input, StandardCharsets.UTF_8),
                    new TypeToken<List<Map<String, String>>>() {}.getType());
            if (points == null || points.contains(null)) {
                throw new BadInput(
                        "check: expected a JSON array of points on standard input, got null.");
            }
            Map<String, Topology> machines = new HashMap<>();
            System.out.println(JSON.toJson(points.stream()
                    .map(point -> answer(
                            point,
                            machines.computeIfAbsent(
                                    point.getOrDefault(ROOT, "/"),
                                    root -> Topology.read(Path.of(root)))))
                    .toList()));
        } catch (JsonParseException unreadable) {
            throw new BadInput("check: expected a JSON array of points on standard input: "
                    + unreadable.getMessage());
        }
    }

    private static Object answer(Map<String, String> given, Topology machine) {
        if (given.keySet().equals(Set.of(ROOT))) {
            return machine;
        }
        Map<String, String> point = new LinkedHashMap<>(given);
        point.remove(ROOT);
        try {
            String word = String.valueOf(point.remove("study"));
            Study study = Study.named(word)
                    .orElseThrow(() -> new BadInput(
                            "unknown study '" + word + "'; choose from " + Study.words() + "."));
            return study.place(point, machine);
        } catch (BadInput.NotOnThisMachine unavailable) {
            return Map.of("unavailable", unavailable.getMessage());
        } catch (BadInput mistake) {
            return Map.of("mistake", mistake.getMessage());
        }
    }
}
