package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The control: the JDK's algorithm in our own words. It differs in what the later steps keep: long
 * cursors and a mask, where the JDK has two indices that return to 0 and a count; and it has none
 * of the JDK's bookkeeping for iterators, one null check per take.
 *
 * <pre>
 *   P ─ w ─▶ │ lock: state, queue of the sleepers  │ ◀─ w ─ C
 *   P ─ w ─▶ │ tail · head · mask · slots          │ ◀─ w ─ C      one line, under the lock
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class OneLock extends Ring implements Step {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notFull = lock.newCondition();
    private final Condition notEmpty = lock.newCondition();

    OneLock(int capacity) {
        super(capacity);
    }

    @Override
    public void put(long value) throws InterruptedException {
        Event event = new Event(value);
        lock.lockInterruptibly();
        try {
            while (tail - head > mask) {
                notFull.await();
            }
            slots[(int) tail++ & mask] = event;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void take(EventConsumer consumer) throws InterruptedException {
        consumer.accept(take());
    }

    private Event take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (head == tail) {
                notEmpty.await();
            }
            Event event = slots[(int) head & mask];
            slots[(int) head++ & mask] = null;
            notFull.signal();
            return event;
        } finally {
            lock.unlock();
        }
    }
}
