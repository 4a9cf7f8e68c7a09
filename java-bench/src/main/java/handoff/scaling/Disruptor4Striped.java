package handoff.scaling;

import handoff.mechanism.DisruptorRing;
import handoff.mechanism.DisruptorRing.Handler;
import handoff.mechanism.Handoff;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Not in the paper: what {@link DisruptorStriped} does, with the Disruptor's release 4, which has
 * no worker pool any more. An event's value is its sequence number.
 */
final class Disruptor4Striped implements Handoff {
    private final DisruptorRing<Event> ring;

    Disruptor4Striped(ScalingSetup setup) {
        int stripes = setup.consumers().size();
        List<Handler<Event>> handlers = IntStream.range(0, stripes)
                .mapToObj(ordinal -> stripe(setup.consumers().get(ordinal), ordinal, stripes))
                .toList();
        ring = DisruptorRing.Release.FOUR.open(new DisruptorRing.Configuration<>(
                () -> new Event(-1),
                setup.capacity(),
                1,
                setup.waiting(),
                List.of(handlers),
                setup.team()));
    }

    private static Handler<Event> stripe(EventConsumer consumer, int ordinal, int stripes) {
        return event -> {
            if (event.value % stripes == ordinal) {
                consumer.accept(event);
            }
        };
    }

    @Override
    public void publish(long events) {
        ring.publish(events, (event, i) -> event.value = i);
    }

    @Override
    public void stop() {
        ring.halt();
    }
}
