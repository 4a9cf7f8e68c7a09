package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * {@link Batched} with events that are made and handed over, and slots that are set to null again.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail · knownHead                    │ ◀─ r ─ C      once per batch
 *   P ─ r ─▶ │ head                                │ ◀─ w ─ C      written once per batch
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class BatchedAllocating extends PaddedRing implements AllocatingStep {
    BatchedAllocating(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(Event event) {
        if (tail - knownHead > mask) {
            knownHead = (long) HEAD.getAcquire(this);
            if (tail - knownHead > mask) {
                return false;
            }
        }
        slots[(int) tail & mask] = event;
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
                Event event = slots[(int) next & mask];
                slots[(int) next++ & mask] = null;
                consumer.accept(event);
            }
        } finally {
            HEAD.setRelease(this, next);
        }
        return true;
    }
}
