package handoff.scaling;

import handoff.mechanism.DisruptorRing;
import handoff.mechanism.Handoff;
import handoff.mechanism.RingHandler;
import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Not in the paper: {@link DisruptorStriped} with release 4 of the Disruptor, which no longer has a
 * worker pool.
 */
final class Disruptor4Striped implements Handoff {
    private final DisruptorRing<Event> ring;

    Disruptor4Striped(ScalingSetup setup) {
        List<RingHandler<Event>> handlers = IntStream.range(0, setup.consumers().size())
                .<RingHandler<Event>>mapToObj(ordinal -> new Stripe(setup, ordinal))
                .toList();
        ring = DisruptorRing.Release.FOUR.open(new DisruptorRing.Configuration<>(
                () -> new Event(-1),
                setup.capacity(),
                1,
                setup.waiting(),
                List.of(handlers),
                setup.team()));
    }

    @Override
    public void publish(long events) {
        ring.publish(events, (event, i) -> event.value = i);
    }

    @Override
    public void stop() {
        ring.halt();
    }

    private static final class Stripe extends RingHandler<Event> {
        private final EventConsumer consumer;
        private final int ordinal;
        private final int stripes;

        Stripe(ScalingSetup setup, int ordinal) {
            super(setup.team());
            consumer = setup.consumers().get(ordinal);
            this.ordinal = ordinal;
            stripes = setup.consumers().size();
        }

        @Override
        public void onEvent(Event event, long sequence, boolean endOfBatch) {
            if (sequence % stripes == ordinal) {
                consumer.accept(event);
            }
        }
    }
}
