package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Two locks, one for each end: each guards its cursor against other threads of the same side, and
 * the cursors become volatile, because each end reads the other's without its lock.
 *
 * <pre>
 *   P ─ w ─▶ │ lock of the puts                    │
 *            │ lock of the takes                   │ ◀─ w ─ C      two objects, made together
 *   P ─ w ─▶ │ tail · head · mask · slots          │ ◀─ w ─ C      one line
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class TwoLocks extends Ring implements AllocatingStep {
    private final ReentrantLock puts = new ReentrantLock();
    private final ReentrantLock takes = new ReentrantLock();

    TwoLocks(int capacity) {
        super(capacity);
    }

    @Override
    public boolean offer(Event event) throws InterruptedException {
        puts.lockInterruptibly();
        try {
            if (tail - (long) HEAD.getVolatile(this) > mask) {
                return false;
            }
            slots[(int) tail & mask] = event;
            TAIL.setVolatile(this, tail + 1);
            return true;
        } finally {
            puts.unlock();
        }
    }

    @Override
    public boolean poll(EventConsumer consumer) throws InterruptedException {
        Event event;
        takes.lockInterruptibly();
        try {
            if (head == (long) TAIL.getVolatile(this)) {
                return false;
            }
            event = slots[(int) head & mask];
            slots[(int) head & mask] = null;
            HEAD.setVolatile(this, head + 1);
        } finally {
            takes.unlock();
        }
        consumer.accept(event);
        return true;
    }
}
