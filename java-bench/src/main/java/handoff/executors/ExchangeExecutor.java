package handoff.executors;

/**
 * The post's own executor: threads that take tasks from a queue and run them, for as long as nobody interrupts them.
 *
 * <pre>
 *                              ┌─ take ─▶ W1
 *   P ── put ─▶ exchange ──────┼─ take ─▶ W2
 *                              └─ take ─▶ Wn
 * </pre>
 */
final class ExchangeExecutor extends Submission {
    private final Exchange<Task> exchange;

    ExchangeExecutor(Scenario scenario, Exchange<Task> exchange) {
        super(scenario.job());
        this.exchange = exchange;
        for (int worker = 0; worker < scenario.threads(); worker++) {
            Workers.start(scenario, worker, exchange);
        }
    }

    @Override
    void submit(Task task) throws InterruptedException {
        exchange.put(task);
    }
}
