package handoff.queues;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** A correct queue of another kind: each slot itself shows whether it is occupied. */
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
