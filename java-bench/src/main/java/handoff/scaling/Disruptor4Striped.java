package handoff.scaling;

import handoff.mechanism.DisruptorRing;
import handoff.mechanism.FilledRing;
import handoff.mechanism.Handoff;
import handoff.work.Event;
import java.util.List;

/**
 * Not in the paper: {@link DisruptorStriped} with release 4 of the Disruptor, which no longer has a
 * worker pool.
 */
final class Disruptor4Striped {
    private Disruptor4Striped() {}

    static Handoff open(ScalingSetup setup) {
        DisruptorRing<Event> ring =
                DisruptorRing.Release.FOUR.open(new DisruptorRing.Configuration<>(
                        () -> new Event(-1),
                        setup.capacity(),
                        1,
                        setup.waiting(),
                        List.of(List.of(Stripe.all(setup))),
                        setup.team()));
        return new FilledRing<>(ring, (event, i) -> event.value = i);
    }
}
