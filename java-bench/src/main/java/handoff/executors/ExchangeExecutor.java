package handoff.executors;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The post's own executor: threads that take tasks from a queue and run them, for as long as nobody interrupts them.
 *
 * <pre>
 *               one exchange                     striped: one for each worker, in turn
 *                              ┌─ take ─▶ W1             ┌── put ─▶ exchange ── take ─▶ W1
 *   P ── put ─▶ exchange ──────┼─ take ─▶ W2          P ─┼── put ─▶ exchange ── take ─▶ W2
 *                              └─ take ─▶ Wn             └── put ─▶ exchange ── take ─▶ Wn
 * </pre>
 */
final class ExchangeExecutor extends Submission {
    private final List<Exchange<Task>> exchanges;
    private int turn;

    /** @param exchanges one for all workers, or one for each */
    private ExchangeExecutor(Scenario scenario, List<Exchange<Task>> exchanges) {
        super(scenario.job());
        this.exchanges = exchanges;
        for (int worker = 0; worker < scenario.threads(); worker++) {
            Workers.start(scenario.crew(), scenario.job(), worker, exchanges.get(worker % exchanges.size()));
        }
    }

    static ExchangeExecutor shared(Scenario scenario, Exchange<Task> exchange) {
        return new ExchangeExecutor(scenario, List.of(exchange));
    }

    static ExchangeExecutor striped(Scenario scenario, Supplier<Exchange<Task>> exchange) {
        return new ExchangeExecutor(scenario, Stream.generate(exchange).limit(scenario.threads()).toList());
    }

    @Override
    void submit(Task task) throws InterruptedException {
        exchanges.get(turn).put(task);
        if (++turn == exchanges.size()) {
            turn = 0;
        }
    }
}
