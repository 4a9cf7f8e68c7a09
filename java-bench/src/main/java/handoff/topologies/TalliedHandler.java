package handoff.topologies;

import handoff.measure.Tally;
import handoff.mechanism.RingHandler;

/** A consumer at one place of a wiring, with its tally; on a ring or behind a queue. */
abstract class TalliedHandler<E> extends RingHandler<E> {
    final int place;
    final Tally tally;

    TalliedHandler(WiringSetup setup, int place) {
        super(setup.team());
        this.place = place;
        tally = setup.tally(place);
    }

    /** Handles one event of a queue, as a batch of one. */
    final void accept(E event) {
        onEvent(event, 0, true);
    }
}
