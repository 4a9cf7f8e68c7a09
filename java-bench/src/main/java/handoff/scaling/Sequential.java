package handoff.scaling;

import handoff.mechanism.Handoff;
import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * The baseline without a hand-over.
 *
 * <pre>
 *   P ── event ──▶ work        P  the one thread: creates the event and consumes it
 * </pre>
 */
final class Sequential implements Handoff {
    private final EventConsumer consumer;

    Sequential(ScalingSetup setup) {
        consumer = setup.consumers().get(0);
    }

    @Override
    public void publish(long events) {
        for (long i = 0; i < events; i++) {
            consumer.accept(new Event(i));
        }
    }
}
