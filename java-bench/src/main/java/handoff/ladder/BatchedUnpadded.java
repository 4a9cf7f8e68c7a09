package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.Arrays;

/**
 * {@link Batched} without padding: the cursors are neighbours again, and of mask and slots.
 *
 * <pre>
 *   P ─ w ─▶ │ tail · head · mask · slots · known  │ ◀─ w ─ C      one line, both write it
 *   P ─ r ─▶ │ the event's slot                    │ ◀─ r ─ C
 *   P ─ w ─▶ │ the event                           │ ◀─ r ─ C      once a lap
 * </pre>
 */
final class BatchedUnpadded extends Ring implements ReusingStep {
    private long knownHead;

    BatchedUnpadded(int capacity) {
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
