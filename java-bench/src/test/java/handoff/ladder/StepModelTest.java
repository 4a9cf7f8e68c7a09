package handoff.ladder;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import handoff.ModelChecker;
import java.util.Collections;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lincheck's model checker on the steps: small scenarios, in as many interleavings as its budget
 * allows. It knows no compiler and no memory: what these may do is left to the stress tests.
 */
@Timeout(300)
class StepModelTest {
    /** Returns the checker's report of a run that must not be possible, or null. */
    private static String fault(Steps step, int scenarios, int interleavings) {
        StepModels.checked = step;
        boolean batches = step.name().startsWith("BATCHED");
        ModelCheckingOptions options = new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .iterations(scenarios)
                .invocationsPerIteration(interleavings);
        return batches
                ? ModelChecker.fault(options, StepModels.Batches.class)
                : ModelChecker.fault(
                        options.sequentialSpecification(StepModels.Queue.class),
                        StepModels.Single.class);
    }

    @Test
    void theCheckerFindsTheCursorThatIsPublishedBeforeItsSlot() {
        assertNotNull(fault(Steps.PUBLISHES_EARLY, 20, 500));
    }

    @Test
    void theCheckerKnowsNoCompilerThatReadsOnlyOnce() {
        assertNull(fault(Steps.READS_PLAINLY, 5, 100));
    }

    @Test
    void theLastStepIsSafe() {
        assertNull(fault(Steps.BATCHED, 5, 100));
    }

    @ParameterizedTest
    @EnumSource(
            value = Steps.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"PUBLISHES_EARLY", "READS_PLAINLY"})
    @Tag("deep")
    void everyStepThatNeverSleepsIsSafe(Steps step) {
        assertNull(fault(step, 30, 1_000));
    }

    /** More events than places, so that both threads have to wait and to wake each other. */
    @ParameterizedTest
    @ValueSource(classes = {StepModels.JdkSleeping.class, StepModels.OneLockSleeping.class})
    @Tag("deep")
    void everyStepThatSleepsIsSafe(Class<?> model) {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(3_000)
                .sequentialSpecification(StepModels.Ending.class)
                .addCustomScenario(new ExecutionScenario(
                        List.of(),
                        List.of(four(model, "put"), four(model, "take")),
                        List.of(),
                        null));
        assertNull(ModelChecker.fault(options, model));
    }

    private static List<Actor> four(Class<?> model, String operation) {
        return Collections.nCopies(4, ModelChecker.actor(model, operation));
    }
}
