package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;

/**
 * A reference: JCTools' ring for one producer and one consumer, which tells full and empty by the
 * slots themselves. A thread never reads the other's cursor, and the producer looks a quarter of
 * the ring ahead, so that it mostly knows that there is room.
 *
 * <pre>
 *   P ─ r ─▶ │ mask · slots                        │ ◀─ r ─ C
 *   P ─ w ─▶ │ tail · room known so far            │
 *            │ head                                │ ◀─ w ─ C
 *   P ─ w ─▶ │ the event's slot: null is empty     │ ◀─ w ─ C      by release and acquire
 * </pre>
 */
final class JctoolsSpsc implements AllocatingStep {
    /** JCTools makes smaller rings as large as this. */
    static final int LEAST_CAPACITY = 4;

    private final SpscVarHandleArrayQueue<Event> queue;

    JctoolsSpsc(int capacity) {
        queue = new SpscVarHandleArrayQueue<>(capacity);
    }

    @Override
    public boolean offer(Event event) {
        return queue.offer(event);
    }

    @Override
    public boolean poll(EventConsumer consumer) {
        Event event = queue.poll();
        if (event == null) {
            return false;
        }
        consumer.accept(event);
        return true;
    }
}
