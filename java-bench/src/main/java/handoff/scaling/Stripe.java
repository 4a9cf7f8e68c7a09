package handoff.scaling;

import handoff.mechanism.RingHandler;
import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.stream.IntStream;

/** The handler of either release that sees every event and works on each n-th one. */
final class Stripe extends RingHandler<Event> {
    private final EventConsumer consumer;
    private final int ordinal;
    private final int stripes;

    private Stripe(ScalingSetup setup, int ordinal) {
        super(setup.team());
        consumer = setup.consumers().get(ordinal);
        this.ordinal = ordinal;
        stripes = setup.consumers().size();
    }

    /** Returns one handler per consumer. */
    static Stripe[] all(ScalingSetup setup) {
        return IntStream.range(0, setup.consumers().size())
                .mapToObj(ordinal -> new Stripe(setup, ordinal))
                .toArray(Stripe[]::new);
    }

    @Override
    public void onEvent(Event event, long sequence, boolean endOfBatch) {
        if (sequence % stripes == ordinal) {
            consumer.accept(event);
        }
    }
}
