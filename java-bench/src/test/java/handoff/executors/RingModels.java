package handoff.executors;

import handoff.executors.RingTest.Stage;
import handoff.mechanism.PolledExchange;
import java.util.ArrayDeque;
import java.util.Deque;
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

    abstract static class Model {
        final PolledExchange<Integer> ring;

        Model(PolledExchange<Integer> ring) {
            this.ring = ring;
        }

        @Operation
        public Integer poll() {
            return ring.poll();
        }
    }

    /** One producer: never two offers at a time. */
    abstract static class OneProducer extends Model {
        OneProducer(PolledExchange<Integer> ring) {
            super(ring);
            for (int item = 1; item < CAPACITY; item++) {
                ring.offer(item);
            }
        }

        @Operation(nonParallelGroup = "producer")
        public boolean offer(@Param(gen = IntGen.class, conf = "10:99") int item) {
            return ring.offer(item);
        }
    }

    /** Any number of producers. */
    abstract static class ManyProducers extends Model {
        ManyProducers(PolledExchange<Integer> ring) {
            super(ring);
        }

        @Operation
        public boolean offer(@Param(gen = IntGen.class, conf = "10:99") int item) {
            return ring.offer(item);
        }
    }

    public static final class OneModulo extends OneProducer {
        public OneModulo() {
            super(Stage.MODULO.open(CAPACITY));
        }
    }

    public static final class OneSpmc extends OneProducer {
        public OneSpmc() {
            super(Stage.SPMC.open(CAPACITY));
        }
    }

    public static final class OneCached extends OneProducer {
        public OneCached() {
            super(Stage.CACHED.open(CAPACITY));
        }
    }

    public static final class OneReadsLate extends OneProducer {
        public OneReadsLate() {
            super(new RingThatReadsLate<>(CAPACITY));
        }
    }

    public static final class ManyModulo extends ManyProducers {
        public ManyModulo() {
            super(Stage.MODULO.open(CAPACITY));
        }
    }

    public static final class ManySpmc extends ManyProducers {
        public ManySpmc() {
            super(Stage.SPMC.open(CAPACITY));
        }
    }

    public static final class ManyCached extends ManyProducers {
        public ManyCached() {
            super(Stage.CACHED.open(CAPACITY));
        }
    }
}
