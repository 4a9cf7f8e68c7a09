package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.Arrays;

/**
 * {@link Batched} without remembering the head: the producer reads it for every event. The consumer
 * cannot forget the tail, because it is the end of its batch.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail                                │ ◀─ r ─ C      once per batch
 *   P ─ r ─▶ │ head                                │ ◀─ w ─ C      read for every event
 *   P ─ r ─▶ │ the event's slot                    │ ◀─ r ─ C
 *   P ─ w ─▶ │ the event                           │ ◀─ r ─ C      once a lap
 * </pre>
 */
final class BatchedUncached extends PaddedRing implements ReusingStep {
    BatchedUncached(int capacity) {
        super(capacity);
        Arrays.setAll(slots, i -> new Event(-1));
    }

    @Override
    public boolean offer(long value) {
        if (tail - (long) HEAD.getAcquire(this) > mask) {
            return false;
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
