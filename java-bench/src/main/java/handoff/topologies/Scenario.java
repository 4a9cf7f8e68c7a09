package handoff.topologies;

import handoff.measure.Crew;
import handoff.measure.Tally;
import handoff.mechanism.Mechanism;
import handoff.mechanism.Ring;
import handoff.mechanism.Ring.Handler;
import handoff.mechanism.Wait;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/** What a wiring is made from: a tally for each consumer, in the order of the drawing. */
record Scenario(Mechanism mechanism, List<Tally> tallies, int capacity, Wait waiting, Crew crew) {
    <M> BlockingQueue<M> queue() {
        return mechanism.queue(capacity);
    }

    <E> Ring<E> ring(Supplier<E> event, int producers, List<List<Handler<E>>> steps) {
        return mechanism.release().open(new Ring.Wiring<>(event, capacity, producers, waiting, steps, crew));
    }

    Tally tally(int consumer) {
        return tallies.get(consumer);
    }
}
