package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * The queue of the JDK: one lock for both ends, and a condition for each on which its thread sleeps
 * while the queue is full or empty.
 *
 * <pre>
 *   P ─ w ─▶ │ lock: state, queue of the sleepers  │ ◀─ w ─ C      w writes, r reads a cache line
 *   P ─ w ─▶ │ putIndex · takeIndex · count        │ ◀─ w ─ C      one line, under the lock
 *   P ─ w ─▶ │ the event's slot                    │ ◀─ w ─ C      null once taken
 * </pre>
 */
final class JdkQueue implements Step {
    private final ArrayBlockingQueue<Event> queue;

    JdkQueue(int capacity) {
        queue = new ArrayBlockingQueue<>(capacity);
    }

    @Override
    public void put(long value) throws InterruptedException {
        queue.put(new Event(value));
    }

    @Override
    public void take(EventConsumer consumer) throws InterruptedException {
        consumer.accept(queue.take());
    }
}
