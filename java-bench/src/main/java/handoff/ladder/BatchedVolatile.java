package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.Arrays;

/**
 * {@link Batched} with volatile stores and loads in place of release and acquire.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail · knownHead                    │ ◀─ r ─ C      a fence for every event
 *   P ─ r ─▶ │ head                                │ ◀─ w ─ C      a fence for every batch
 *   P ─ r ─▶ │ the event's slot                    │ ◀─ r ─ C
 *   P ─ w ─▶ │ the event                           │ ◀─ r ─ C      once a lap
 * </pre>
 */
final class BatchedVolatile extends PaddedRing implements ReusingStep {
    BatchedVolatile(int capacity) {
        super(capacity);
        Arrays.setAll(slots, i -> new Event(-1));
    }

    @Override
    public boolean offer(long value) {
        if (tail - knownHead > mask) {
            knownHead = (long) HEAD.getVolatile(this);
            if (tail - knownHead > mask) {
                return false;
            }
        }
        slots[(int) tail & mask].value = value;
        TAIL.setVolatile(this, tail + 1);
        return true;
    }

    @Override
    public boolean poll(EventConsumer consumer) {
        long end = (long) TAIL.getVolatile(this);
        long next = head;
        if (next == end) {
            return false;
        }
        try {
            while (next < end) {
                consumer.accept(slots[(int) next++ & mask]);
            }
        } finally {
            HEAD.setVolatile(this, next);
        }
        return true;
    }
}
