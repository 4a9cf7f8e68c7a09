package handoff.topologies;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.mechanism.Handoff;
import handoff.mechanism.Pool;
import handoff.mechanism.Ring;
import handoff.mechanism.Turns;
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
    private Sequencer() {
    }

    static Expected expected(long events) {
        return Expected.each(events, List.of(Unicast.sum(Producers.first(events))
            + (Producers.NUMBER - 1) * Unicast.sum(events / Producers.NUMBER)));
    }

    /** A queue of boxed numbers. */
    static final class Boxed implements Handoff {
        private final Producers producers;

        Boxed(Scenario scenario) {
            BlockingQueue<Long> queue = scenario.queue();
            Tally sum = scenario.tally(0);
            producers = new Producers(scenario.crew(), (which, events) -> {
                for (long i = 0; i < events; i++) {
                    queue.put(i);
                }
            });
            Turns.start(scenario.crew(), () -> sum.addVolatile(queue.take()));
        }

        @Override
        public void publish(long events) throws InterruptedException {
            producers.publish(events);
        }
    }

    /** A queue of messages that come round again, to the producer that made them. */
    static final class Reused implements Handoff {
        private final Producers producers;

        Reused(Scenario scenario) {
            BlockingQueue<Value> queue = scenario.queue();
            Tally sum = scenario.tally(0);
            List<Pool<Value>> pools = Stream.generate(() -> new Pool<>(Value::new, scenario.capacity())).limit(Producers.NUMBER).toList();
            producers = new Producers(scenario.crew(), (which, events) -> {
                Pool<Value> own = pools.get(which);
                for (long i = 0; i < events; i++) {
                    Value value = own.next();
                    value.i = i;
                    queue.put(value);
                }
            });
            Turns.start(scenario.crew(), () -> sum.add(queue.take().i));
        }

        @Override
        public void publish(long events) throws InterruptedException {
            producers.publish(events);
        }
    }

    /** One ring that synchronises its producers. */
    static final class OnRing implements Handoff {
        private final Producers producers;
        private final Ring<Value> ring;

        OnRing(Scenario scenario) {
            Tally sum = scenario.tally(0);
            producers = new Producers(scenario.crew(), this::share);
            ring = scenario.ring(Value::new, Producers.NUMBER, List.of(List.of(value -> sum.add(value.i))));
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
