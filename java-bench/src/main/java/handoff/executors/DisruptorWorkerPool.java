package handoff.executors;

import disruptor3.BlockingWaitStrategy;
import disruptor3.WorkHandler;
import disruptor3.dsl.Disruptor;
import handoff.measure.Crew;
import java.util.stream.Stream;

/**
 * The post's column "disruptor": workers claim tasks, and a pool of one collects.
 *
 * <pre>
 *                         ┌─ claims ─ W1 ─┐
 *   P ── publish ──▶ ring ┼─ claims ─ W2 ─┼─▶ C     C adds up the results in the ring's order
 *                         └─ claims ─ Wn ─┘
 * </pre>
 */
final class DisruptorWorkerPool extends DisruptorExecutor {
    DisruptorWorkerPool(Scenario scenario) {
        super(scenario, new BlockingWaitStrategy());
    }

    @Override
    void attach(Disruptor<Task> disruptor, Scenario scenario) {
        Worker[] workers = Stream.generate(() -> new Worker(scenario.crew())).limit(scenario.threads()).toArray(Worker[]::new);
        disruptor.handleEventsWithWorkerPool(workers)
            .thenHandleEventsWithWorkerPool(new Collector(scenario.crew(), scenario.job().ledger(0)));
    }

    private static final class Worker extends Handler implements WorkHandler<Task> {
        Worker(Crew crew) {
            super(crew);
        }

        @Override
        public void onEvent(Task task) {
            task.compute();
        }
    }

    private static final class Collector extends Handler implements WorkHandler<Task> {
        private final Ledger ledger;

        Collector(Crew crew, Ledger ledger) {
            super(crew);
            this.ledger = ledger;
        }

        @Override
        public void onEvent(Task task) {
            task.collect(ledger);
        }
    }
}
