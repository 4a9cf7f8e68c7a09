package handoff.executors;

import handoff.mechanism.Exchange;

/**
 * The executor that the post wrote: threads that take tasks from a queue and run them until they
 * are interrupted.
 *
 * <pre>
 *                              ┌─ take ─▶ W1
 *   P ── put ─▶ exchange ──────┼─ take ─▶ W2
 *                              └─ take ─▶ Wn
 * </pre>
 */
final class ExchangeExecutor extends TaskProducer {
    private final Exchange<Task> exchange;

    ExchangeExecutor(ExecutorsSetup setup, Exchange<Task> exchange) {
        super(setup.job());
        this.exchange = exchange;
        for (int worker = 0; worker < setup.threads(); worker++) {
            startWorker(setup, worker, exchange);
        }
    }

    @Override
    void submit(Task task) throws InterruptedException {
        exchange.put(task);
    }
}
