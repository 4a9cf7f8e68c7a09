package handoff.topologies;

import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import handoff.mechanism.DisruptorRing;
import handoff.mechanism.RingHandler;
import handoff.mechanism.TransportMechanism;
import handoff.mechanism.Wait;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/** The parts of a wiring; the tallies are one per consumer, in the order of the drawing. */
record WiringSetup(
        TransportMechanism mechanism,
        List<Tally> tallies,
        int capacity,
        Wait waiting,
        ThreadTeam team) {
    <M> BlockingQueue<M> queue() {
        return mechanism.queue(capacity);
    }

    <E> DisruptorRing<E> ring(Supplier<E> event, int producers, List<List<RingHandler<E>>> steps) {
        return mechanism
                .release()
                .open(new DisruptorRing.Configuration<>(
                        event, capacity, producers, waiting, steps, team));
    }

    Tally tally(int consumer) {
        return tallies.get(consumer);
    }
}
