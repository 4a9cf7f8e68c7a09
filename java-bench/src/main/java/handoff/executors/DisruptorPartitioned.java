package handoff.executors;

import disruptor3.EventHandler;
import disruptor3.SleepingWaitStrategy;
import disruptor3.dsl.Disruptor;
import handoff.measure.Crew;
import java.util.stream.IntStream;

/**
 * The post's column "disruptor2": every worker sees every task and computes each n-th.
 *
 * <pre>
 *                         ┌─ sees all ─ W1 ─┐
 *   P ── publish ──▶ ring ┼─ sees all ─ W2 ─┼─▶ C     C adds up the results
 *                         └─ sees all ─ Wn ─┘
 * </pre>
 */
final class DisruptorPartitioned extends DisruptorExecutor {
    /** Of release 3.2, which the post used: a hundred spins, a hundred yields, then sleeps of a nanosecond. */
    private static final int RETRIES = 200;
    private static final int REST_NS = 1;

    DisruptorPartitioned(Scenario scenario) {
        super(scenario, new SleepingWaitStrategy(RETRIES, REST_NS));
    }

    @Override
    void attach(Disruptor<Task> disruptor, Scenario scenario) {
        disruptor.handleEventsWith(IntStream.range(0, scenario.threads())
                .mapToObj(which -> new Worker(scenario.crew(), which)).toArray(Worker[]::new))
            .then(new Collector(scenario.crew(), scenario.job().ledger(0)));
    }

    private static final class Worker extends Handler implements EventHandler<Task> {
        private final int which;

        Worker(Crew crew, int which) {
            super(crew);
            this.which = which;
        }

        @Override
        public void onEvent(Task task, long sequence, boolean endOfBatch) {
            if (task.turn() == which) {
                task.compute();
            }
        }
    }

    private static final class Collector extends Handler implements EventHandler<Task> {
        private final Ledger ledger;

        Collector(Crew crew, Ledger ledger) {
            super(crew);
            this.ledger = ledger;
        }

        @Override
        public void onEvent(Task task, long sequence, boolean endOfBatch) {
            task.collect(ledger);
        }
    }
}
