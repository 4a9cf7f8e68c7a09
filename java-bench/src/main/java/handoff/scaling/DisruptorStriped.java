package handoff.scaling;

import disruptor3.EventHandler;
import disruptor3.dsl.Disruptor;
import handoff.measure.ThreadTeam;
import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * The paper's words "receives the element and its sequence number", taken literally: only event
 * handlers receive a sequence number. Every handler sees every event and works on its share.
 *
 * <pre>
 *                    ┌────────┐ ── all ──▶ C1: sequence % n = 0      P   producer, fills the next
 *   P ── publish ──▶ │  ring  │ ── all ──▶ C2: sequence % n = 1          slot by a translator
 *                    └────────┘ ── all ──▶ Cn: sequence % n = n-1    Cn  handler, skips the rest
 * </pre>
 */
final class DisruptorStriped extends DisruptorHandoff {
    DisruptorStriped(ScalingSetup setup) {
        super(setup);
    }

    @Override
    void attach(Disruptor<Event> ring, ScalingSetup setup) {
        int stripes = setup.consumers().size();
        Stripe[] handlers = new Stripe[stripes];
        for (int i = 0; i < stripes; i++) {
            handlers[i] = new Stripe(setup.consumers().get(i), setup.team(), i, stripes);
        }
        ring.handleEventsWith(handlers);
    }

    private static final class Stripe extends Handler implements EventHandler<Event> {
        private final int ordinal;
        private final int stripes;

        Stripe(EventConsumer consumer, ThreadTeam team, int ordinal, int stripes) {
            super(consumer, team);
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
