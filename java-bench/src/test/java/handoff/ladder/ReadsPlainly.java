package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * A deliberate bug in {@link ReleaseAcquire}: the other side's cursor is read plainly, so that a
 * compiler may read it once, before the loop that waits for it.
 */
final class ReadsPlainly extends PaddedRing implements AllocatingStep {
    ReadsPlainly(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(Event event) {
        if (tail - head > mask) {
            return false;
        }
        slots[(int) tail & mask] = event;
        TAIL.setRelease(this, tail + 1);
        return true;
    }

    @Override
    public boolean poll(EventConsumer consumer) {
        if (head == tail) {
            return false;
        }
        Event event = slots[(int) head & mask];
        slots[(int) head & mask] = null;
        HEAD.setRelease(this, head + 1);
        consumer.accept(event);
        return true;
    }
}
