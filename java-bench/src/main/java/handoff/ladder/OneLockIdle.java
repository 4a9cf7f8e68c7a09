package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits without sleeping: a thread that finds the queue full or empty unlocks, idles and locks
 * again, in place of the conditions. It may still sleep in {@code lock} while the other thread is
 * inside, and nowhere else: the consumer's voluntary switches count that.
 *
 * <pre>
 *   P ─ w ─▶ │ lock: state, queue of the sleepers  │ ◀─ w ─ C      also by every attempt to wait
 *   P ─ w ─▶ │ tail · head · mask · slots          │ ◀─ w ─ C      one line, under the lock
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class OneLockIdle extends Ring implements AllocatingStep {
    private final ReentrantLock lock = new ReentrantLock();

    OneLockIdle(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(Event event) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (tail - head > mask) {
                return false;
            }
            slots[(int) tail++ & mask] = event;
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean poll(EventConsumer consumer) throws InterruptedException {
        Event event;
        lock.lockInterruptibly();
        try {
            if (head == tail) {
                return false;
            }
            event = slots[(int) head & mask];
            slots[(int) head++ & mask] = null;
        } finally {
            lock.unlock();
        }
        consumer.accept(event);
        return true;
    }
}
