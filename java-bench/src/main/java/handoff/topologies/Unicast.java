package handoff.topologies;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.FilledRing;
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
        return Expected.each(events, List.of(Expected.sum(events)));
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
    static Handoff onRing(WiringSetup setup) {
        return new FilledRing<>(
                setup.ring(Value::new, 1, List.of(List.of(new Addition(setup)))),
                (value, i) -> value.i = i);
    }
}
