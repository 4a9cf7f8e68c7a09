package handoff.topologies;

import handoff.machine.Plan;
import handoff.measure.Expected;
import handoff.mechanism.Handoff;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/** All wirings; to add one, draw and write its class and name it here. */
public enum Wiring {
    UNICAST(1, 1, Unicast::expected, Unicast.Boxed::new, Unicast.Reused::new, Unicast::onRing),
    PIPELINE(1, 3, Pipeline::expected, Pipeline.Boxed::new, Pipeline.Reused::new, Pipeline::onRing),
    SEQUENCER(
            3, 1, Sequencer::expected, Sequencer::boxed, Sequencer::reused, Sequencer.OnRing::new),
    MULTICAST(
            1,
            3,
            Multicast::expected,
            Multicast.Boxed::new,
            Multicast.Reused::new,
            Multicast::onRing),
    DIAMOND(1, 3, Diamond::expected, Diamond.Boxed::new, Diamond.Reused::new, Diamond::onRing);

    private final int producers;
    private final int consumers;
    private final LongFunction<Expected> expected;
    private final Function<WiringSetup, Handoff> boxed;
    private final Function<WiringSetup, Handoff> reused;
    private final Function<WiringSetup, Handoff> onRing;

    Wiring(
            int producers,
            int consumers,
            LongFunction<Expected> expected,
            Function<WiringSetup, Handoff> boxed,
            Function<WiringSetup, Handoff> reused,
            Function<WiringSetup, Handoff> onRing) {
        this.producers = producers;
        this.consumers = consumers;
        this.expected = expected;
        this.boxed = boxed;
        this.reused = reused;
        this.onRing = onRing;
    }

    int consumers() {
        return consumers;
    }

    List<String> roles() {
        return Plan.roles(producers, consumers);
    }

    /** Returns the totals that the consumers' tallies must reach. */
    Expected expected(long events) {
        return expected.apply(events);
    }

    Handoff open(WiringSetup setup, Accounting accounting) {
        if (setup.mechanism().release() != null) {
            return onRing.apply(setup);
        }
        return (accounting == Accounting.AS_PUBLISHED ? boxed : reused).apply(setup);
    }
}
