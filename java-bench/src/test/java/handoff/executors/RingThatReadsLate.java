package handoff.executors;

import handoff.mechanism.PolledExchange;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A deliberate bug: workers claim a slot before they read it, so that the producer may already have
 * overwritten it.
 */
final class RingThatReadsLate<T> extends PolledExchange<T> {
    private final AtomicLong consumed = new AtomicLong();
    private final AtomicLong next = new AtomicLong(1);
    private final Object[] slots;

    RingThatReadsLate(int capacity) {
        super(Idle.YIELD);
        slots = new Object[capacity];
    }

    @Override
    public boolean offer(T item) {
        long slot = next.get();
        if (slot >= consumed.get() + slots.length) {
            return false;
        }
        slots[(int) (slot % slots.length)] = item;
        next.incrementAndGet();
        return true;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T poll() {
        while (true) {
            long filled = next.get() - 1;
            long last = consumed.get();
            if (last >= filled) {
                return null;
            }
            if (consumed.compareAndSet(last, last + 1)) {
                return (T) slots[(int) ((last + 1) % slots.length)];
            }
        }
    }
}
