package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * Each cursor gets cache lines of its own, apart from the other cursor and from what both threads
 * read.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C      stays in both caches
 *   P ─ w ─▶ │ tail                                │ ◀─ r ─ C      for every event
 *   P ─ r ─▶ │ head                                │ ◀─ w ─ C      for every event
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class PaddedCursors extends PaddedRing implements AllocatingStep {
    PaddedCursors(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(Event event) {
        if (tail - (long) HEAD.getVolatile(this) > mask) {
            return false;
        }
        slots[(int) tail & mask] = event;
        TAIL.setVolatile(this, tail + 1);
        return true;
    }

    @Override
    public boolean poll(EventConsumer consumer) {
        if (head == (long) TAIL.getVolatile(this)) {
            return false;
        }
        Event event = slots[(int) head & mask];
        slots[(int) head & mask] = null;
        HEAD.setVolatile(this, head + 1);
        consumer.accept(event);
        return true;
    }
}
