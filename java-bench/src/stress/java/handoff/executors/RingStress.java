package handoff.executors;

import handoff.mechanism.PolledExchange;
import java.util.function.Supplier;

/** Base of the stress tests of a ring with four places, named by the system property ring. */
abstract class RingStress {
    /** The stages of the post, and a ring with a deliberate bug. */
    private enum Stage {
        MODULO(() -> new RingBuffer<>(4, Index.MODULO, Separation.NONE, Idle.SPIN)),
        SPMC(() -> new RingBufferSpmc<>(4, Idle.SPIN)),
        CACHED(() -> new RingBufferCached<>(4, Idle.SPIN)),
        READS_LATE(() -> new RingThatReadsLate<>(4));

        private final Supplier<PolledExchange<Item>> opening;

        Stage(Supplier<PolledExchange<Item>> opening) {
            this.opening = opening;
        }
    }

    /** An item with a field that is not volatile, so that it must become visible with the item. */
    private static final class Item {
        private int number;

        Item(int number) {
            this.number = number;
        }
    }

    private static final Stage STAGE = Stage.valueOf(System.getProperty("ring"));

    private final PolledExchange<Item> ring = STAGE.opening.get();

    /** Opens a ring with the items 1 to {@code items}. */
    RingStress(int items) {
        for (int number = 1; number <= items; number++) {
            offer(number);
        }
    }

    final void offer(int number) {
        ring.offer(new Item(number));
    }

    /** Returns the number of the oldest item, or 0 when the ring is empty. */
    final int poll() {
        Item item = ring.poll();
        return item == null ? 0 : item.number;
    }
}
