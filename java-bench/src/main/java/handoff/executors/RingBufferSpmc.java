package handoff.executors;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The post's second stage, for a single producer: it keeps the number of the next slot to itself
 * and publishes it without a full fence. The algorithm is that of {@link RingBuffer}; each counter
 * has cache lines of its own.
 */
class RingBufferSpmc<T> extends PolledExchange<T> {
    /**
     * Places in the array of counters, two cache lines and more from each other, from the array's
     * length and from its neighbours.
     */
    static final int CONSUMED = 32;

    static final int PUBLISHED = 64;
    private static final int NEXT = 96;
    static final int LENGTH = 128;

    final AtomicLongArray counters = new AtomicLongArray(LENGTH);
    private final Object[] slots;
    private final int mask;

    /**
     * @param capacity a power of two
     */
    RingBufferSpmc(int capacity, Idle idle) {
        super(idle);
        slots = new Object[capacity];
        mask = capacity - 1;
        counters.set(NEXT, 1);
        counters.set(PUBLISHED, 1);
    }

    @Override
    final boolean offer(T item) {
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
    T poll() {
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
