package handoff.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.gson.GsonBuilder;
import handoff.ModelChecker;
import handoff.executors.RingTest.Stage;
import handoff.mechanism.PolledExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck's model checker on the post's rings. It runs small scenarios in as many interleavings as
 * its budget allows.
 */
class RingModelTest {
    /**
     * Returns the checker's trace of a run that no sequence of atomic operations explains, or null.
     */
    private static String fault(
            IntFunction<PolledExchange<Integer>> ring, int scenarios, int interleavings) {
        RingModels.opening = ring;
        return ModelChecker.fault(
                new ModelCheckingOptions()
                        .threads(2)
                        .actorsPerThread(3)
                        .actorsBefore(0)
                        .actorsAfter(1)
                        .iterations(scenarios)
                        .invocationsPerIteration(interleavings)
                        .sequentialSpecification(RingModels.Full.class),
                RingModels.OneProducer.class);
    }

    /**
     * Returns the trace for the smallest scenario with two producers: each offers one item to an
     * empty ring, then two items are taken.
     */
    private static String faultOfTwo(IntFunction<PolledExchange<Integer>> ring) {
        RingModels.opening = ring;
        return ModelChecker.fault(
                new ModelCheckingOptions()
                        .iterations(0)
                        .addCustomScenario(new ExecutionScenario(
                                List.of(),
                                List.of(List.of(call("offer", 11)), List.of(call("offer", 22))),
                                List.of(call("poll"), call("poll")),
                                null))
                        .sequentialSpecification(RingModels.Empty.class),
                RingModels.ManyProducers.class);
    }

    private static Actor call(String name, Integer... arguments) {
        return ModelChecker.actor(RingModels.ManyProducers.class, name, arguments);
    }

    @Test
    void theCheckerFindsADeliberateBug() {
        assertNotNull(fault(RingThatReadsLate::new, 50, 2_000));
    }

    @Test
    void theCheckerFindsTheFaultOfTwoProducers() {
        assertNotNull(faultOfTwo(Stage.MODULO::open));
    }

    @Test
    void theLastStageIsSafeForOneProducer() {
        assertNull(fault(Stage.CACHED::open, 10, 300));
    }

    /**
     * All stages with one and two producers, with a large budget. The outcome must agree with
     * data/checks/executors.json.
     */
    @Test
    @Tag("deep")
    void everyStageWithOneProducerAndTwo() throws IOException {
        Map<String, String> traces = new LinkedHashMap<>();
        Map.of("", Stage.MODULO, "_SPMC", Stage.SPMC, "_CACHED", Stage.CACHED)
                .forEach((name, stage) -> {
                    String ring = "RING_BUFFER" + name;
                    traces.put(ring + ", one producer", fault(stage::open, 50, 3_000));
                    traces.put(ring + ", two producers", faultOfTwo(stage::open));
                });
        traces.put(
                "a ring that reads after it has claimed, one producer",
                fault(RingThatReadsLate::new, 50, 3_000));
        Files.writeString(
                Path.of("..", "target", "lincheck.json").normalize(),
                new GsonBuilder()
                                .serializeNulls()
                                .setPrettyPrinting()
                                .disableHtmlEscaping()
                                .create()
                                .toJson(traces)
                        + "\n");
        traces.forEach((name, trace) -> assertEquals(
                name.endsWith("two producers") || name.startsWith("a ring"), trace != null, name));
    }
}
