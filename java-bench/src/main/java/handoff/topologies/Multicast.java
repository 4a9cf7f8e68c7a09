package handoff.topologies;

import handoff.measure.Expected;
import handoff.measure.WrittenBy;
import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.FilledRing;
import handoff.mechanism.Handoff;
import handoff.mechanism.MessagePool;
import handoff.topologies.Unicast.Value;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One producer, three consumers that all see every event.
 *
 * <pre>
 *              ┌──▶ C1      P   counts i up from 0
 *   P ── i ────┼──▶ C2      C1  adds every i to 0, C2 takes every i from 0,
 *              └──▶ C3      C3  keeps the bits that every i so far has
 * </pre>
 *
 * The first number, 0, leaves C3 with no bit, as in the original test: its count alone proves that
 * it sees every event. With queues: one per consumer, and the producer puts every event three
 * times. With a ring: three handlers on it.
 */
final class Multicast {
    private static final int CONSUMERS = 3;

    private Multicast() {}

    static Expected expected(long events) {
        long sum = Expected.sum(events);
        return Expected.each(events, List.of(sum, -sum, 0L));
    }

    /** One class for all three, as in the original, so that a handler's call has one target. */
    private static final class Operation extends TalliedHandler<Value> {
        @WrittenBy("its thread")
        private boolean started;

        Operation(WiringSetup setup, int place) {
            super(setup, place);
        }

        @Override
        public void onEvent(Value event, long sequence, boolean endOfBatch) {
            switch (place) {
                case 0 -> tally.add(event.i, endOfBatch);
                case 1 -> tally.add(-event.i, endOfBatch);
                default -> tally.set(kept(event.i), endOfBatch);
            }
        }

        void onNumber(long i) {
            switch (place) {
                case 0 -> tally.addVolatile(i);
                case 1 -> tally.addVolatile(-i);
                default -> tally.addVolatile(kept(i) - tally.checksum());
            }
        }

        private long kept(long i) {
            long kept = started ? tally.checksum() & i : i;
            started = true;
            return kept;
        }
    }

    private static List<Operation> operations(WiringSetup setup) {
        return IntStream.range(0, CONSUMERS)
                .mapToObj(place -> new Operation(setup, place))
                .toList();
    }

    /** Queues of boxed numbers. */
    static final class Boxed implements Handoff {
        private final List<BlockingQueue<Long>> queues;

        Boxed(WiringSetup setup) {
            queues = Stream.generate(setup::<Long>queue).limit(CONSUMERS).toList();
            for (Operation operation : operations(setup)) {
                BlockingQueue<Long> queue = queues.get(operation.place);
                ConsumerLoop.start(setup.team(), () -> operation.onNumber(queue.take()));
            }
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                Long boxed = i;
                for (int consumer = 0; consumer < CONSUMERS; consumer++) {
                    queues.get(consumer).put(boxed);
                }
            }
        }
    }

    /** Queues of reused messages; all three hold the same ones. */
    static final class Reused implements Handoff {
        private final List<BlockingQueue<Value>> queues;
        private final MessagePool<Value> pool;

        Reused(WiringSetup setup) {
            queues = Stream.generate(setup::<Value>queue).limit(CONSUMERS).toList();
            pool = new MessagePool<>(Value::new, setup.capacity());
            for (Operation operation : operations(setup)) {
                BlockingQueue<Value> queue = queues.get(operation.place);
                ConsumerLoop.start(setup.team(), () -> operation.accept(queue.take()));
            }
        }

        @Override
        public void publish(long events) throws InterruptedException {
            for (long i = 0; i < events; i++) {
                Value value = pool.next();
                value.i = i;
                for (int consumer = 0; consumer < CONSUMERS; consumer++) {
                    queues.get(consumer).put(value);
                }
            }
        }
    }

    /** One ring, three handlers side by side. */
    static Handoff onRing(WiringSetup setup) {
        return new FilledRing<>(
                setup.ring(Value::new, 1, List.of(List.copyOf(operations(setup)))),
                (value, i) -> value.i = i);
    }
}
