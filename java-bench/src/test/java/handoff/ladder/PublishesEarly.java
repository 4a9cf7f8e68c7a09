package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;

/**
 * A deliberate bug in {@link ReleaseAcquire}: the cursor is published before the slot is written.
 */
final class PublishesEarly extends PaddedRing implements AllocatingStep {
    PublishesEarly(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(Event event) {
        if (tail - (long) HEAD.getAcquire(this) > mask) {
            return false;
        }
        TAIL.setRelease(this, tail + 1);
        slots[(int) (tail - 1) & mask] = event;
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
