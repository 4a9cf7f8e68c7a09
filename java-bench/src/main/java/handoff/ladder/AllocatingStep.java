package handoff.ladder;

import handoff.work.Event;

/** A step whose producer makes every event and hands over the object. */
interface AllocatingStep extends PolledStep {
    /** Returns false when the queue is full. */
    boolean offer(Event event) throws InterruptedException;

    @Override
    default void put(long value) throws InterruptedException {
        Event event = new Event(value);
        for (int attempt = 1; !offer(event); attempt++) {
            PolledStep.idle(attempt);
        }
    }
}
