package handoff.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
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
    private static String fault(Class<?> model, int scenarios, int interleavings) {
        return fault(
                new ModelCheckingOptions()
                        .threads(2)
                        .actorsPerThread(3)
                        .actorsBefore(0)
                        .actorsAfter(1)
                        .iterations(scenarios)
                        .invocationsPerIteration(interleavings)
                        .sequentialSpecification(RingModels.Full.class),
                model);
    }

    /**
     * Returns the trace for the smallest scenario with two producers: each offers one item to an
     * empty ring, then two items are taken.
     */
    private static String faultOfTwo(Class<?> model) {
        return fault(
                new ModelCheckingOptions()
                        .iterations(0)
                        .addCustomScenario(new ExecutionScenario(
                                List.of(),
                                List.of(
                                        List.of(actor(model, "offer", 11)),
                                        List.of(actor(model, "offer", 22))),
                                List.of(actor(model, "poll"), actor(model, "poll")),
                                null))
                        .sequentialSpecification(RingModels.Empty.class),
                model);
    }

    private static Actor actor(Class<?> model, String name, Integer... arguments) {
        return new Actor(
                Stream.of(model.getMethods())
                        .filter(method -> method.getName().equals(name))
                        .findFirst()
                        .orElseThrow(),
                List.of(arguments));
    }

    /** Returns the summary without the detailed trace by source line. */
    private static String fault(ModelCheckingOptions options, Class<?> model) {
        try {
            options.check(model);
            return null;
        } catch (LincheckAssertionError fault) {
            return fault.getMessage().split("Detailed trace", 2)[0].strip();
        }
    }

    @Test
    void theCheckerFindsADeliberateBug() {
        assertNotNull(fault(RingModels.OneReadsLate.class, 50, 2_000));
    }

    @Test
    void theCheckerFindsTheFaultOfTwoProducers() {
        assertNotNull(faultOfTwo(RingModels.ManyModulo.class));
    }

    @Test
    void theLastStageIsSafeForOneProducer() {
        assertNull(fault(RingModels.OneCached.class, 10, 300));
    }

    /**
     * All stages with one and two producers, with a large budget. The outcome must agree with
     * data/checks/executors.json.
     */
    @Test
    @Tag("deep")
    void everyStageWithOneProducerAndTwo() throws IOException {
        Map<Class<?>, String> stages = new LinkedHashMap<>();
        stages.put(RingModels.OneModulo.class, "RING_BUFFER, one producer");
        stages.put(RingModels.ManyModulo.class, "RING_BUFFER, two producers");
        stages.put(RingModels.OneSpmc.class, "RING_BUFFER_SPMC, one producer");
        stages.put(RingModels.ManySpmc.class, "RING_BUFFER_SPMC, two producers");
        stages.put(RingModels.OneCached.class, "RING_BUFFER_CACHED, one producer");
        stages.put(RingModels.ManyCached.class, "RING_BUFFER_CACHED, two producers");
        stages.put(
                RingModels.OneReadsLate.class,
                "a ring that reads after it has claimed, one producer");
        Map<String, String> traces = new LinkedHashMap<>();
        stages.forEach((model, name) -> traces.put(
                name,
                RingModels.ManyProducers.class.isAssignableFrom(model)
                        ? faultOfTwo(model)
                        : fault(model, 50, 3_000)));
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
