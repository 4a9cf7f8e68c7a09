package handoff.executors;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The post's first lock-free queue: a ring and two counters that everybody reads.
 *
 * <pre>
 *   slots        │ 4 │ 5 │ 6 │ 7 │      capacity 4: slot t is at t mod 4; one always stays free
 *   consumed = 4       ▲       ▲
 *   next     = 7       └ take  └ put
 *
 *   take   read slot consumed + 1, then try consumed ◀ consumed + 1
 *   put    where next &lt; consumed + capacity: write slot next, then next ◀ next + 1
 * </pre>
 *
 * Workers read before they compare and set: whoever wins has what was there when nobody else could
 * have taken it, for the producer does not come round to a slot before consumed has passed it. Two
 * producers may both write the slot that both see as next: one task is lost, and a slot that nobody
 * wrote is published.
 */
final class RingBuffer<T> extends PolledExchange<T> {
    private final AtomicLongArray counters;
    private final int consumed;
    private final int next;
    private final Object[] slots;
    private final int capacity;
    private final boolean mask;

    RingBuffer(int capacity, Index index, Separation separation, Idle idle) {
        super(idle);
        counters = new AtomicLongArray(RingBufferSpmc.LENGTH);
        consumed = separation.consumed;
        next = separation.published;
        counters.set(next, 1);
        slots = new Object[capacity];
        this.capacity = capacity;
        this.mask = index == Index.MASK;
    }

    private int place(long slot) {
        return (int) (mask ? slot & capacity - 1 : slot % capacity);
    }

    @Override
    boolean offer(T item) {
        long slot = counters.get(next);
        if (slot >= counters.get(consumed) + capacity) {
            return false;
        }
        slots[place(slot)] = item;
        counters.incrementAndGet(next);
        return true;
    }

    @Override
    @SuppressWarnings("unchecked")
    T poll() {
        while (true) {
            long filled = counters.get(next) - 1;
            long last = counters.get(consumed);
            if (last >= filled) {
                return null;
            }
            T item = (T) slots[place(last + 1)];
            if (counters.compareAndSet(consumed, last, last + 1)) {
                return item;
            }
        }
    }
}
