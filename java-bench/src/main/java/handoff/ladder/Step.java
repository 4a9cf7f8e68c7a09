package handoff.ladder;

import handoff.work.EventConsumer;

/** A queue between one producer and one consumer, whose events are of the queue's own making. */
interface Step {
    /** Hands over an event with this value, on the producer's thread; waits while it is full. */
    void put(long value) throws InterruptedException;

    /** Takes one event or a batch, on the consumer's thread, and works on it; waits for it. */
    void take(EventConsumer consumer) throws InterruptedException;
}
