package handoff.scaling;

import disruptor3.EventHandler;
import disruptor3.dsl.Disruptor;
import handoff.measure.Crew;

/**
 * The paper's words "receives the element and its sequence number", taken literally: event handlers, which
 * alone receive one. Every handler sees every event and works on its own share.
 *
 * <pre>
 *                    ┌────────┐ ── all ──▶ C1: sequence % n = 0      P   producer, fills the next slot
 *   P ── publish ──▶ │  ring  │ ── all ──▶ C2: sequence % n = 1          by a translator
 *                    └────────┘ ── all ──▶ Cn: sequence % n = n-1    Cn  event handler, skips the rest
 * </pre>
 */
final class DisruptorStriped extends DisruptorHandoff {
    DisruptorStriped(Scenario scenario) {
        super(scenario);
    }

    @Override
    void attach(Disruptor<Event> ring, Scenario scenario) {
        int stripes = scenario.consumers().size();
        Stripe[] handlers = new Stripe[stripes];
        for (int i = 0; i < stripes; i++) {
            handlers[i] = new Stripe(scenario.consumers().get(i), scenario.crew(), i, stripes);
        }
        ring.handleEventsWith(handlers);
    }

    private static final class Stripe extends Handler implements EventHandler<Event> {
        private final int ordinal;
        private final int stripes;

        Stripe(EventConsumer consumer, Crew crew, int ordinal, int stripes) {
            super(consumer, crew);
            this.ordinal = ordinal;
            this.stripes = stripes;
        }

        @Override
        public void onEvent(Event event, long sequence, boolean endOfBatch) {
            if (sequence % stripes == ordinal) {
                consumer.accept(event);
            }
        }
    }
}
