package handoff.mechanism;

/** One way to hand events over, ready from its construction until {@link #stop}. */
public interface Handoff {
    /**
     * Hands over {@code events} events and returns after publishing the last one. Called on the
     * first thread, while the clock runs.
     */
    void publish(long events) throws InterruptedException;

    /**
     * Ends the consumers, once all events are consumed. An interrupt follows, which is enough for
     * threads that wait at a queue.
     */
    default void stop() {}
}
