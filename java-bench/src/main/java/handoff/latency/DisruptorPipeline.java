package handoff.latency;

import handoff.measure.ThreadTeam;
import handoff.mechanism.DisruptorRing;
import handoff.mechanism.RingHandler;
import handoff.mechanism.Wait;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One ring, on which every stage follows the one before.
 *
 * <pre>
 *   P ─ claim, stamp, publish ─▶ ring ─▶ C1 ─▶ C2 ─▶ C3 ─ read the clock
 * </pre>
 *
 * An event is stamped after its slot was claimed, so the producer's wait for a slot is not
 * included. The original does the same, which favours the ring over the queue; times since the due
 * time have no such bias.
 */
final class DisruptorPipeline implements LatencyPipeline {
    private final DisruptorRing<Stamped> ring;

    DisruptorPipeline(
            DisruptorRing.Release release,
            Stages stages,
            int capacity,
            Wait waiting,
            ThreadTeam team) {
        List<List<RingHandler<Stamped>>> steps = IntStream.range(0, stages.count())
                .mapToObj(stages::stage)
                .map(stage -> List.<RingHandler<Stamped>>of(new Step(stage, team)))
                .toList();
        ring = release.open(
                new DisruptorRing.Configuration<>(Stamped::new, capacity, 1, waiting, steps, team));
    }

    @Override
    public void publish(long number, long due) {
        long slot = ring.next();
        Stamped event = ring.get(slot);
        event.number = number;
        event.due = due;
        event.published = System.nanoTime();
        event.seen = event.published;
        ring.publish(slot);
    }

    @Override
    public void stop() {
        ring.halt();
    }

    private static final class Step extends RingHandler<Stamped> {
        private final Stages.Stage stage;

        Step(Stages.Stage stage, ThreadTeam team) {
            super(team);
            this.stage = stage;
        }

        @Override
        public void onEvent(Stamped event, long sequence, boolean endOfBatch) {
            stage.accept(event);
        }
    }
}
