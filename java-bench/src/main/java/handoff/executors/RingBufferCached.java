package handoff.executors;

import handoff.mechanism.IdleStrategy;

/**
 * The last stage of the post: a worker that loses a slot to another one reads the consumers'
 * counter again, but not the producer's.
 */
final class RingBufferCached<T> extends RingBufferSpmc<T> {
    RingBufferCached(int capacity, IdleStrategy idle) {
        super(capacity, idle);
    }

    @Override
    public T poll() {
        long filled = counters.get(PUBLISHED) - 1;
        for (long last = counters.get(CONSUMED); last < filled; last = counters.get(CONSUMED)) {
            T item = read(last + 1);
            if (counters.compareAndSet(CONSUMED, last, last + 1)) {
                return item;
            }
        }
        return null;
    }
}
