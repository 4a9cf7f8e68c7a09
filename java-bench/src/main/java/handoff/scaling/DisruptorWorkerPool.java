package handoff.scaling;

import disruptor3.WorkHandler;
import disruptor3.dsl.Disruptor;
import handoff.measure.ThreadTeam;
import handoff.mechanism.ReadyHandler;
import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * The paper's words "work handler", taken literally: a worker pool.
 *
 * <pre>
 *                    ┌────────┐ ◀── claims ── C1      P   producer, fills the next slot
 *   P ── publish ──▶ │  ring  │ ◀── claims ── C2      Cn  worker, claims the next sequence from
 *                    └────────┘ ◀── claims ── Cn          the counter that all workers share
 * </pre>
 */
final class DisruptorWorkerPool extends DisruptorHandoff {
    DisruptorWorkerPool(ScalingSetup setup) {
        super(setup);
    }

    @Override
    void attach(Disruptor<Event> ring, ScalingSetup setup) {
        ring.handleEventsWithWorkerPool(setup.consumers().stream()
                .map(consumer -> new Worker(consumer, setup.team()))
                .toArray(Worker[]::new));
    }

    private static final class Worker extends ReadyHandler implements WorkHandler<Event> {
        private final EventConsumer consumer;

        Worker(EventConsumer consumer, ThreadTeam team) {
            super(team);
            this.consumer = consumer;
        }

        @Override
        public void onEvent(Event event) {
            consumer.accept(event);
        }
    }
}
