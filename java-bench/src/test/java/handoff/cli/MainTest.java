package handoff.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import handoff.measure.Evidence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the jar as its users do: a process with arguments, output and an exit code. */
class MainTest {
    private static final Path DATA = Path.of(System.getProperty("basedir"), "..", "..", "data");

    @TempDir
    Path folder;

    private record Run(int exit, String out, String err) {}

    private Run run(String... arguments) throws IOException, InterruptedException {
        return runWith(Files.writeString(folder.resolve("in"), ""), arguments);
    }

    private Run runWith(Path in, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "handoff.cli.Main"));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new Run(process.waitFor(), Files.readString(out), Files.readString(err));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nosuch                                            | ; choose from scaling,"
                        + " ladder, topologies",
                "scaling -p consumers=0                            | a whole number from 1 to 11",
                "scaling -p consumers=two                          | a whole number from 1 to 11",
                "scaling -p consumers=1,99                         | a whole number from 1 to 11",
                "scaling -p events=-5                              | events=-5",
                "scaling -p mechanism=PIGEON                       | choose from SEQUENTIAL,"
                        + " ARRAY_BLOCKING_QUEUE",
                "scaling -p mechanizm=SEQUENTIAL                   | no parameter mechanizm;"
                        + " choose from mechanism, consumers",
                "scaling -p mechanism=DISRUPTOR_STRIPED -p capacity=1000 | such as 512 or 1024",
                "scaling -pconsumers=2                             | write -p name=value, with a"
                        + " space",
                "scaling -p mechanism=DISRUPTOR_STRIPED -p element=REUSED | DISRUPTOR_STRIPED has"
                        + " no element; leave it at NEW",
                "scaling -p                                        | -p takes name=value",
                "topologies -p mechanism=DISRUPTOR_3 -p capacity=1000 | such as 512 or 1024",
                "topologies -p mechanism=DISRUPTOR_4 -p accounting=FAIR | DISRUPTOR_4 has no"
                        + " accounting; leave it at AS_PUBLISHED",
                "topologies -p topology=STAR                       | choose from UNICAST, PIPELINE,"
                        + " SEQUENCER, MULTICAST, DIAMOND",
                "latency -p gap=-1                                 | a whole number from 0 to"
                        + " 1000000000",
                "latency -p mechanism=ARRAY_BLOCKING_QUEUE -p wait=YIELDING | ARRAY_BLOCKING_QUEUE"
                        + " has no wait; leave it at BUSY_SPIN",
                "counters -p mechanism=VOLATILE -p threads=2       | VOLATILE has no threads; leave"
                        + " it at 1",
                "topology --root /                                 | unknown option --root",
            })
    void aMistakeIsOneSentenceAndExitCodeTwo(String arguments, String expected) throws Exception {
        Run run = run(arguments.strip().split(" +"));
        assertEquals(2, run.exit(), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains(expected), run.err());
        assertEquals("", run.out());
    }

    @Test
    void checkAnswersEveryPointInOrder() throws Exception {
        Path points = folder.resolve("points");
        Files.writeString(points, """
                [{"study": "scaling", "mechanism": "ARRAY_BLOCKING_QUEUE", "consumers": "2"},
                 {"study": "scaling", "consumers": "12"}, {"study": "nosuch"}]\
                """);
        List<JsonElement> answers = JsonParser.parseString(
                        runWith(points, "check").out())
                .getAsJsonArray()
                .asList();
        assertEquals(3, answers.size());
        assertTrue(answers.get(0).getAsJsonObject().has("plan"));
        assertTrue(
                answers.get(1).getAsJsonObject().get("mistake").getAsString().contains("1 to 11"));
        assertTrue(
                answers.get(2).getAsJsonObject().get("mistake").getAsString().contains("nosuch"));
    }

    private Run fork(String options) throws Exception {
        List<String> words = new ArrayList<>(List.of("scaling", "-f", "1", "-foe", "true"));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of("-jvmArgs", "-XX:+UseParallelGC -Djava.io.tmpdir=" + folder));
        return run(words.toArray(String[]::new));
    }

    @Test
    void aForkLeavesItsEvidence() throws Exception {
        Run run = fork("-p mechanism=DISRUPTOR_STRIPED -p consumers=2 -p events=2000"
                + " -p capacity=64 -p sorts=15 -i 2");
        assertEquals(0, run.exit(), run.out() + run.err());
        Evidence evidence = new Gson()
                .fromJson(Files.readString(folder.resolve("evidence.json")), Evidence.class);
        assertEquals(2, evidence.shots().size());
        for (Evidence.Shot shot : evidence.shots()) {
            assertEquals(
                    List.of("producer", "consumer-1", "consumer-2"),
                    shot.threads().stream().map(Evidence.ThreadShot::role).toList());
            assertTrue(shot.threads().stream()
                    .allMatch(thread -> thread.mask().equals(thread.asked().toString())));
            assertTrue(shot.wallNs() > 0 && shot.events() == 2000);
        }
    }

    @Test
    void aForkUnderAnotherCollectorThanAskedFails() throws Exception {
        Run run = fork("-p events=1000 -p collector=G1 -i 1");
        assertEquals(1, run.exit());
        assertTrue(run.out().contains("collector=G1: this JVM runs"), run.out());
    }

    /**
     * After adding a parameter or a mechanism, run: java -jar java-bench/target/benchmarks.jar
     * studies &gt; data/studies.json.
     */
    @Test
    void theDescriptionOnFileIsThisJars() throws IOException {
        assertEquals(
                Files.readString(DATA.resolve("studies.json")).strip(),
                Commands.describe().strip());
    }

    @Test
    void theGoldenForkFilesEvidenceHasOurKeys() throws IOException {
        JsonObject golden = JsonParser.parseString(
                        Files.readString(DATA.resolve("golden-fork.json")))
                .getAsJsonObject();
        JsonObject evidence = golden.getAsJsonObject("evidence");
        Evidence read = new Gson().fromJson(evidence, Evidence.class);
        assertEquals(
                evidence,
                new com.google.gson.GsonBuilder().serializeNulls().create().toJsonTree(read));
    }
}
