package handoff.queues;

import handoff.mechanism.Exchange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * The user's own {@link Exchange}, or else the {@link Subject}, as the model checker sees it.
 * Scenarios are fixed, not drawn, and put as many items as they take: any other would wait for
 * ever.
 */
public final class ExchangeModel {
    private static final int CAPACITY = 2;

    private final Exchange<Integer> exchange = Subject.exchange(CAPACITY);

    @Operation(nonParallelGroup = "producer")
    public boolean put(int item) throws InterruptedException {
        exchange.put(item);
        return true;
    }

    @Operation(nonParallelGroup = "consumer")
    public Integer take() throws InterruptedException {
        return exchange.take();
    }

    /**
     * The required behaviour. Where a real exchange would wait, it returns an answer that no real
     * one gives, so that no sequential order of the operations passes there.
     */
    public static final class Specification {
        private final Deque<Integer> items = new ArrayDeque<>();

        public boolean put(int item) {
            return items.size() < CAPACITY && items.add(item);
        }

        public Integer take() {
            return items.poll();
        }
    }

    /** Returns scenarios of two to four items; with more than two, a put can find the ring full. */
    static ModelCheckingOptions options() {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(1_000)
                .sequentialSpecification(Specification.class);
        for (int items = 2; items <= CAPACITY + 2; items++) {
            options = options.addCustomScenario(scenario(items));
        }
        return options;
    }

    private static ExecutionScenario scenario(int items) {
        List<Actor> puts =
                IntStream.rangeClosed(1, items).mapToObj(i -> actor("put", i)).toList();
        List<Actor> takes =
                IntStream.rangeClosed(1, items).mapToObj(i -> actor("take")).toList();
        return new ExecutionScenario(List.of(), List.of(puts, takes), List.of(), null);
    }

    private static Actor actor(String name, Integer... arguments) {
        return new Actor(
                Stream.of(ExchangeModel.class.getMethods())
                        .filter(method -> method.getName().equals(name))
                        .findFirst()
                        .orElseThrow(),
                List.of(arguments));
    }
}
