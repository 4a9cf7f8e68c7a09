package handoff.queues;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** A right one of another kind: a slot itself says whether there is something in it. */
final class SlotQueue<T> implements BoundedQueue<T> {
    private final AtomicReferenceArray<T> slots;
    private int next;
    private int oldest;

    SlotQueue(int capacity) {
        slots = new AtomicReferenceArray<>(capacity);
    }

    @Override
    public boolean offer(T item) {
        if (slots.get(next) != null) {
            return false;
        }
        slots.set(next, item);
        next = (next + 1) % slots.length();
        return true;
    }

    @Override
    public T poll() {
        T item = slots.get(oldest);
        if (item != null) {
            slots.set(oldest, null);
            oldest = (oldest + 1) % slots.length();
        }
        return item;
    }
}
