package handoff.scaling;

import handoff.mechanism.IdleStrategy;
import handoff.mechanism.JctoolsExchange;

/**
 * Not in the paper: JCTools' ring for a single producer. Its threads never sleep; they try again
 * until the ring has room or an event.
 */
final class JctoolsSpmcHandoff extends ExchangeHandoff {
    JctoolsSpmcHandoff(ScalingSetup setup) {
        super(new JctoolsExchange<>(setup.capacity(), IdleStrategy.SPIN_THEN_YIELD), setup);
    }
}
