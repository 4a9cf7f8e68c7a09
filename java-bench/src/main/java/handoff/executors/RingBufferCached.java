package handoff.executors;

/**
 * The post's last stage: a worker that lost a slot to another one reads again how far the others
 * are, but not how far the producer is.
 */
final class RingBufferCached<T> extends RingBufferSpmc<T> {
    RingBufferCached(int capacity, Idle idle) {
        super(capacity, idle);
    }

    @Override
    T poll() {
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
