package handoff.executors;

import handoff.mechanism.Exchange;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * An {@link ExchangeExecutor} with one queue per worker; the producer fills them in turn.
 *
 * <pre>
 *           ┌── put ─▶ exchange ── take ─▶ W1
 *        P ─┼── put ─▶ exchange ── take ─▶ W2
 *           └── put ─▶ exchange ── take ─▶ Wn
 * </pre>
 */
final class StripedExecutor extends TaskProducer {
    private final List<Exchange<Task>> exchanges;
    private int turn;

    StripedExecutor(ExecutorsSetup setup, Supplier<Exchange<Task>> exchange) {
        super(setup.job());
        exchanges = Stream.generate(exchange).limit(setup.threads()).toList();
        for (int worker = 0; worker < setup.threads(); worker++) {
            startWorker(setup, worker, exchanges.get(worker));
        }
    }

    @Override
    void submit(Task task) throws InterruptedException {
        exchanges.get(turn).put(task);
        turn = turn == exchanges.size() - 1 ? 0 : turn + 1;
    }
}
