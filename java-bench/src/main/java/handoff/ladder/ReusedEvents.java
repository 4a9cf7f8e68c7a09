package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.Arrays;

/**
 * Events are made once and reused, in place of made and handed over. The consumer works on the
 * event in its slot and frees the slot afterwards: the work is inside the hand-over, and one place
 * fewer is free meanwhile.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail · knownHead                    │ ◀─ r ─ C      only when it seems empty
 *   P ─ r ─▶ │ head · knownTail                    │ ◀─ w ─ C      read only when it seems full
 *   P ─ r ─▶ │ the event's slot                    │ ◀─ r ─ C      no longer written
 *   P ─ w ─▶ │ the event                           │ ◀─ r ─ C      once a lap
 * </pre>
 */
final class ReusedEvents extends PaddedRing implements ReusingStep {
    ReusedEvents(int capacity) {
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
        if (head == knownTail) {
            knownTail = (long) TAIL.getAcquire(this);
            if (head == knownTail) {
                return false;
            }
        }
        try {
            consumer.accept(slots[(int) head & mask]);
        } finally {
            HEAD.setRelease(this, head + 1);
        }
        return true;
    }
}
