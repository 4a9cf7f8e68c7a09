package handoff.scaling;

import disruptor3.WorkHandler;
import disruptor3.dsl.Disruptor;
import handoff.measure.Crew;

/**
 * The paper's words "work handler", taken literally: a worker pool.
 *
 * <pre>
 *                    ┌────────┐ ◀── claims ── C1      P   producer, fills the next slot by a translator
 *   P ── publish ──▶ │  ring  │ ◀── claims ── C2      Cn  worker, claims the next sequence from the
 *                    └────────┘ ◀── claims ── Cn          counter that all workers share
 * </pre>
 */
final class DisruptorWorkerPool extends DisruptorHandoff {
    DisruptorWorkerPool(Scenario scenario) {
        super(scenario);
    }

    @Override
    void attach(Disruptor<Event> ring, Scenario scenario) {
        ring.handleEventsWithWorkerPool(scenario.consumers().stream()
            .map(consumer -> new Worker(consumer, scenario.crew())).toArray(Worker[]::new));
    }

    private static final class Worker extends Handler implements WorkHandler<Event> {
        Worker(EventConsumer consumer, Crew crew) {
            super(consumer, crew);
        }

        @Override
        public void onEvent(Event event) {
            consumer.accept(event);
        }
    }
}
