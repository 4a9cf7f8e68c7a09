package handoff.ladder;

import handoff.mechanism.DisruptorRing;
import handoff.mechanism.DisruptorRing.Configuration;
import handoff.mechanism.DisruptorRing.Release;
import handoff.mechanism.FilledRing;
import handoff.mechanism.Handoff;
import handoff.mechanism.RingHandler;
import handoff.mechanism.Wait;
import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.List;

/**
 * A reference: the Disruptor with one producer and one event handler, which yields while it waits.
 * While the ring is full, the producer yields in release 3.2.0 and parks in 3.4.4.
 */
final class DisruptorHandoff {
    private DisruptorHandoff() {}

    static Handoff open(LadderSetup setup) {
        EventConsumer consumer = setup.consumer();
        RingHandler<Event> handler = new RingHandler<>(setup.team()) {
            @Override
            public void onEvent(Event event, long sequence, boolean endOfBatch) {
                consumer.accept(event);
            }
        };
        DisruptorRing<Event> ring = Release.THREE.open(new Configuration<>(
                () -> new Event(-1),
                setup.capacity(),
                1,
                Wait.YIELDING,
                List.of(List.of(handler)),
                setup.team()));
        return new FilledRing<>(ring, (event, i) -> event.value = i);
    }
}
