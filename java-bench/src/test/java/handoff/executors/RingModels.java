package handoff.executors;

import handoff.mechanism.PolledExchange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntFunction;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * The rings as the model checker runs them. With one producer, a ring of eight places starts full,
 * so that workers always find an item and the producer reuses slots that workers are reading. (A
 * worker that wrongly finds the ring empty only waits once more.) With several producers it starts
 * empty.
 */
final class RingModels {
    private static final int CAPACITY = 8;

    /** Opens the ring to check; the checker makes its models without arguments. */
    static IntFunction<PolledExchange<Integer>> opening;

    private RingModels() {}

    /** The specification of a ring: first in, first out, at most seven items. */
    public static class Empty {
        final Deque<Integer> items = new ArrayDeque<>();

        public boolean offer(int item) {
            return items.size() < CAPACITY - 1 && items.add(item);
        }

        public Integer poll() {
            return items.poll();
        }
    }

    /** The same specification, starting with seven items. */
    public static final class Full extends Empty {
        public Full() {
            for (int item = 1; item < CAPACITY; item++) {
                items.add(item);
            }
        }
    }

    /** One producer: never two offers at a time. */
    public static final class OneProducer {
        private final PolledExchange<Integer> ring = opening.apply(CAPACITY);

        public OneProducer() {
            for (int item = 1; item < CAPACITY; item++) {
                ring.offer(item);
            }
        }

        @Operation(nonParallelGroup = "producer")
        public boolean offer(@Param(gen = IntGen.class, conf = "10:99") int item) {
            return ring.offer(item);
        }

        @Operation
        public Integer poll() {
            return ring.poll();
        }
    }

    /** Any number of producers. */
    public static final class ManyProducers {
        private final PolledExchange<Integer> ring = opening.apply(CAPACITY);

        @Operation
        public boolean offer(@Param(gen = IntGen.class, conf = "10:99") int item) {
            return ring.offer(item);
        }

        @Operation
        public Integer poll() {
            return ring.poll();
        }
    }
}
