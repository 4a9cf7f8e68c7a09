package handoff.topologies;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.DisruptorRing;
import handoff.mechanism.Handoff;
import handoff.mechanism.MessagePool;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * One producer, one consumer.
 *
 * <pre>
 *   P ── i ──▶ C1      P   counts i up from 0
 *                      C1  adds i up
 * </pre>
 */
final class Unicast {
    private Unicast() {}

    static Expected expected(long events) {
        return Expected.each(events, List.of(sum(events)));
    }

    /** Returns 0 + 1 + ... + (events - 1), modulo 2^64. */
    static long sum(long events) {
        return events % 2 == 0 ? events / 2 * (events - 1) : (events - 1) / 2 * events;
    }

    /** The message. */
    static final class Value {
        long i;
    }

    /** Adds up the numbers that come through the ring. */
    static final class Addition extends TalliedHandler<Value> {
        Addition(WiringSetup setup) {
            super(setup, 0);
        }

        @Override
        public void onEvent(Value event, long sequence, boolean endOfBatch) {
            tally.add(event.i, endOfBatch);
        }
    }

    /** A queue of boxed numbers. */
    static final class Boxed implements Handoff {
        private final BlockingQueue<Long> queue;

        Boxed(WiringSetup setup) {
            queue = setup.queue();
            Tally sum = setup.tally(0);
            ConsumerLoop.start(setup.team(), () -> sum.addVolatile(queue.take()));
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                queue.put(i);
            }
        }
    }

    /** A queue of reused messages. */
    static final class Reused implements Handoff {
        private final BlockingQueue<Value> queue;
        private final MessagePool<Value> pool;

        Reused(WiringSetup setup) {
            queue = setup.queue();
            pool = new MessagePool<>(Value::new, setup.capacity());
            Tally sum = setup.tally(0);
            ConsumerLoop.start(setup.team(), () -> sum.add(queue.take().i));
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                Value value = pool.next();
                value.i = i;
                queue.put(value);
            }
        }
    }

    /** One ring, one handler. */
    static final class OnRing implements Handoff {
        private final DisruptorRing<Value> ring;

        OnRing(WiringSetup setup) {
            ring = setup.ring(Value::new, 1, List.of(List.of(new Addition(setup))));
        }

        @Override
        public void publish(long events) {
            ring.publish(events, (value, i) -> value.i = i);
        }

        @Override
        public void stop() {
            ring.halt();
        }
    }
}
