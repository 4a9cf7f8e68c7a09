package handoff.mechanism;

/** One way to hand events over, open from its construction until {@link #stop}. */
public interface Handoff {
    /**
     * Hands over {@code events} events; returns when the caller has published its last. Inside the
     * clock, on the first thread.
     */
    void publish(long events) throws InterruptedException;

    /**
     * Tells the consumers to end once all is consumed; an interrupt follows, which is enough for
     * who waits at a queue.
     */
    default void stop() {}
}
