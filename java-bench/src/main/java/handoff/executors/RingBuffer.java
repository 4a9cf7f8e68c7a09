package handoff.executors;

import handoff.mechanism.IdleStrategy;
import handoff.mechanism.PolledExchange;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The first lock-free queue of the post: a ring, and two counters that all threads read.
 *
 * <pre>
 *   slots        │ 4 │ 5 │ 6 │ 7 │      capacity 4: slot t is at t mod 4; one always stays free
 *   consumed = 4       ▲       ▲
 *   next     = 7       └ take  └ put
 *
 *   take   read slot consumed + 1, then try to set consumed ◀ consumed + 1
 *   put    where next &lt; consumed + capacity: write slot next, then next ◀ next + 1
 * </pre>
 *
 * A worker reads the slot before its compare-and-set. If that succeeds, no other worker has taken
 * the item and the producer has not overwritten it, because it reuses a slot only once consumed has
 * passed it. With two producers, both may write the slot that both see as next: one task is lost,
 * and a slot that was never written is published.
 */
final class RingBuffer<T> extends PolledExchange<T> {
    private final AtomicLongArray counters;
    private final int consumed;
    private final int next;
    private final Object[] slots;
    private final int capacity;
    private final boolean mask;

    RingBuffer(int capacity, Index index, Separation separation, IdleStrategy idle) {
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
    public boolean offer(T item) {
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
    public T poll() {
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
