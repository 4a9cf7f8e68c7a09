package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * The other side's cursor is remembered, and read again only when the queue seems full or empty: it
 * only ever grows, so an old value errs on the safe side.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail · knownHead                    │ ◀─ r ─ C      only when it seems empty
 *   P ─ r ─▶ │ head · knownTail                    │ ◀─ w ─ C      read only when it seems full
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class CachedCursors extends PaddedRing implements AllocatingStep {
    CachedCursors(int capacity) {
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
        if (head == knownTail) {
            knownTail = (long) TAIL.getAcquire(this);
            if (head == knownTail) {
                return false;
            }
        }
        Event event = slots[(int) head & mask];
        slots[(int) head & mask] = null;
        HEAD.setRelease(this, head + 1);
        consumer.accept(event);
        return true;
    }
}
