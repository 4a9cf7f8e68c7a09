package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.Arrays;

/**
 * Batches: the consumer works on all events that it finds, and publishes its cursor once for all of
 * them. The producer, where it waits, gets no slot back before the batch ends.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail · knownHead                    │ ◀─ r ─ C      once per batch
 *   P ─ r ─▶ │ head                                │ ◀─ w ─ C      written once per batch
 *   P ─ r ─▶ │ the event's slot                    │ ◀─ r ─ C
 *   P ─ w ─▶ │ the event                           │ ◀─ r ─ C      once a lap
 * </pre>
 *
 * The batch's end is what {@link CachedCursors} remembers as {@code knownTail}.
 */
final class Batched extends PaddedRing implements ReusingStep {
    Batched(int capacity) {
        super(capacity);
        Arrays.setAll(slots, i -> new Event(-1));
    }

    @Override
    public boolean offer(long value) {
        if (tail - knownHead > mask) {
            knownHead = (long) HEAD.getAcquire(this);
            if (tail - knownHead > mask) {
                return false;
            }
        }
        slots[(int) tail & mask].value = value;
        TAIL.setRelease(this, tail + 1);
        return true;
    }

    @Override
    public boolean poll(EventConsumer consumer) {
        long end = (long) TAIL.getAcquire(this);
        long next = head;
        if (next == end) {
            return false;
        }
        try {
            while (next < end) {
                consumer.accept(slots[(int) next++ & mask]);
            }
        } finally {
            HEAD.setRelease(this, next);
        }
        return true;
    }
}
