package handoff.scaling;

import disruptor3.dsl.Disruptor;
import handoff.work.Event;

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
        ring.handleEventsWith(Stripe.all(setup));
    }
}
