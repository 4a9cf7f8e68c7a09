package handoff.actors;

import static handoff.ModelChecker.actor;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import handoff.ModelChecker;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs Lincheck's model checker on the mailbox and the queue of SOFT_AFFINITY: one message of an
 * actor at a time, none lost, order kept.
 */
class MailboxModelTest {
    /**
     * Returns the failure of an interleaving of two threads, each of which sends and runs in turn,
     * or null.
     */
    private static String fault(Class<?> model, int interleavings, int turns) {
        List<List<Actor>> threads = Stream.of(0, 1)
                .map(sender -> Stream.generate(
                                () -> Stream.of(actor(model, "send", sender), actor(model, "run")))
                        .limit(turns)
                        .flatMap(operations -> operations)
                        .toList())
                .toList();
        return ModelChecker.fault(
                new ModelCheckingOptions()
                        .iterations(0)
                        .invocationsPerIteration(interleavings)
                        .addCustomScenario(new ExecutionScenario(
                                List.of(), threads, List.of(actor(model, "rest")), null))
                        .sequentialSpecification(MailboxModels.Read.class),
                model);
    }

    @Test
    void theCheckerFindsAnIntentionalBug() {
        assertNotNull(fault(MailboxModels.Forgetful.class, 2_000, 1));
    }

    @Test
    void anActorReadsEachMessageOnceInOrder() {
        assertNull(fault(MailboxModels.Ours.class, 2_000, 1));
    }

    @Test
    @Tag("deep")
    void anActorReadsEachMessageOnceInOrderAtLength() {
        assertNull(fault(MailboxModels.Ours.class, 50_000, 2));
        assertNull(fault(MailboxModels.Ours.class, 20_000, 3));
    }
}
