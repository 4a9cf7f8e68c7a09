package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * No lock: each cursor has a single writer, so that a volatile store publishes what was written
 * before it, and nothing needs to exclude anyone.
 *
 * <pre>
 *   P ─ w ─▶ │ tail · head · mask · slots          │ ◀─ w ─ C      one line, both write it
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class NoLock extends Ring implements AllocatingStep {
    NoLock(int capacity) {
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
