package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * Release and acquire in place of volatile stores and loads: the writer no longer waits until its
 * store has reached the cache before its next load; order is all that a single writer needs.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail, by a release                  │ ◀─ r ─ C      for every event, by an acquire
 *   P ─ r ─▶ │ head, by a release                  │ ◀─ w ─ C      for every event, by an acquire
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class ReleaseAcquire extends PaddedRing implements AllocatingStep {
    ReleaseAcquire(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(Event event) {
        if (tail - (long) HEAD.getAcquire(this) > mask) {
            return false;
        }
        slots[(int) tail & mask] = event;
        TAIL.setRelease(this, tail + 1);
        return true;
    }

    @Override
    public boolean poll(EventConsumer consumer) {
        if (head == (long) TAIL.getAcquire(this)) {
            return false;
        }
        Event event = slots[(int) head & mask];
        slots[(int) head & mask] = null;
        HEAD.setRelease(this, head + 1);
        consumer.accept(event);
        return true;
    }
}
