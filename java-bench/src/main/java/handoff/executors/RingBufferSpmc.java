package handoff.executors;

import handoff.mechanism.IdleStrategy;
import handoff.mechanism.PolledExchange;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The second stage of the post, for a single producer, which keeps the number of the next slot to
 * itself and publishes it without a full fence. The algorithm is that of {@link RingBuffer}; no two
 * counters share a cache line.
 */
class RingBufferSpmc<T> extends PolledExchange<T> {
    /**
     * Places of the counters in their array, at least two cache lines away from each other, from
     * the array's length and from its neighbours.
     */
    static final int CONSUMED = 32;

    static final int PUBLISHED = 64;
    private static final int NEXT = 96;
    static final int LENGTH = 128;

    final AtomicLongArray counters = new AtomicLongArray(LENGTH);
    private final Object[] slots;
    private final int mask;

    /**
     * @param capacity a power of two; one place always stays free
     */
    RingBufferSpmc(int capacity, IdleStrategy idle) {
        super(idle);
        slots = new Object[capacity];
        mask = capacity - 1;
        counters.set(NEXT, 1);
        counters.set(PUBLISHED, 1);
    }

    @Override
    public final boolean offer(T item) {
        long slot = counters.getPlain(NEXT);
        if (slot > counters.get(CONSUMED) + mask) {
            return false;
        }
        slots[(int) slot & mask] = item;
        counters.setPlain(NEXT, slot + 1);
        counters.lazySet(PUBLISHED, slot + 1);
        return true;
    }

    @Override
    public T poll() {
        while (true) {
            long filled = counters.get(PUBLISHED) - 1;
            long last = counters.get(CONSUMED);
            if (last >= filled) {
                return null;
            }
            T item = read(last + 1);
            if (counters.compareAndSet(CONSUMED, last, last + 1)) {
                return item;
            }
        }
    }

    @SuppressWarnings("unchecked")
    final T read(long slot) {
        return (T) slots[(int) slot & mask];
    }
}
