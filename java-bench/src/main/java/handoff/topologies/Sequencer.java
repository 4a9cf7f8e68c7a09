package handoff.topologies;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.DisruptorRing;
import handoff.mechanism.Handoff;
import handoff.mechanism.MessagePool;
import handoff.topologies.Unicast.Value;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;

/**
 * Three producers, one consumer.
 *
 * <pre>
 *   P1 ── i ──┐
 *   P2 ── i ──┼──▶ C1      Pk  counts i up from 0 over a third of the events
 *   P3 ── i ──┘            C1  adds i up
 * </pre>
 */
final class Sequencer {
    private Sequencer() {}

    static Expected expected(long events) {
        return Expected.each(
                events,
                List.of(Expected.sum(Producers.first(events))
                        + (Producers.NUMBER - 1) * Expected.sum(events / Producers.NUMBER)));
    }

    /** A queue of boxed numbers. */
    static Handoff boxed(WiringSetup setup) {
        BlockingQueue<Long> queue = setup.queue();
        Tally sum = setup.tally(0);
        Producers producers = new Producers(setup.team(), (which, events) -> {
            for (long i = 0; i < events; i++) {
                queue.put(i);
            }
        });
        ConsumerLoop.start(setup.team(), () -> sum.addVolatile(queue.take()));
        return producers;
    }

    /** A queue of messages that each producer reuses. */
    static Handoff reused(WiringSetup setup) {
        BlockingQueue<Value> queue = setup.queue();
        Tally sum = setup.tally(0);
        List<MessagePool<Value>> pools = Stream.generate(
                        () -> new MessagePool<>(Value::new, setup.capacity()))
                .limit(Producers.NUMBER)
                .toList();
        Producers producers = new Producers(setup.team(), (which, events) -> {
            MessagePool<Value> pool = pools.get(which);
            for (long i = 0; i < events; i++) {
                Value value = pool.next();
                value.i = i;
                queue.put(value);
            }
        });
        ConsumerLoop.start(setup.team(), () -> sum.add(queue.take().i));
        return producers;
    }

    /** One ring that synchronises its producers. */
    static final class OnRing implements Handoff {
        private final Producers producers;
        private final DisruptorRing<Value> ring;

        OnRing(WiringSetup setup) {
            producers = new Producers(setup.team(), this::share);
            ring = setup.ring(
                    Value::new, Producers.NUMBER, List.of(List.of(new Unicast.Addition(setup))));
        }

        private void share(int which, long events) {
            ring.publish(events, (value, i) -> value.i = i);
        }

        @Override
        public void publish(long events) throws InterruptedException {
            producers.publish(events);
        }

        @Override
        public void stop() {
            ring.halt();
        }
    }
}
