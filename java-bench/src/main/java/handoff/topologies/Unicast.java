package handoff.topologies;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.mechanism.Handoff;
import handoff.mechanism.Pool;
import handoff.mechanism.Ring;
import handoff.mechanism.Turns;
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
    private Unicast() {
    }

    static Expected expected(long events) {
        return Expected.each(events, List.of(sum(events)));
    }

    /** 0 + 1 + ... + (events - 1), modulo 2^64. */
    static long sum(long events) {
        return events % 2 == 0 ? events / 2 * (events - 1) : (events - 1) / 2 * events;
    }

    /** What goes through. */
    static final class Value {
        long i;
    }

    /** A queue of boxed numbers. */
    static final class Boxed implements Handoff {
        private final BlockingQueue<Long> queue;

        Boxed(Scenario scenario) {
            queue = scenario.queue();
            Tally sum = scenario.tally(0);
            Turns.start(scenario.crew(), () -> sum.addVolatile(queue.take()));
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                queue.put(i);
            }
        }
    }

    /** A queue of messages that come round again. */
    static final class Reused implements Handoff {
        private final BlockingQueue<Value> queue;
        private final Pool<Value> pool;

        Reused(Scenario scenario) {
            queue = scenario.queue();
            pool = new Pool<>(Value::new, scenario.capacity());
            Tally sum = scenario.tally(0);
            Turns.start(scenario.crew(), () -> sum.add(queue.take().i));
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
        private final Ring<Value> ring;

        OnRing(Scenario scenario) {
            Tally sum = scenario.tally(0);
            ring = scenario.ring(Value::new, 1, List.of(List.of(value -> sum.add(value.i))));
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
