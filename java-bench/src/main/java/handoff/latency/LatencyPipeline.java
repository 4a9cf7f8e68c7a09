package handoff.latency;

/**
 * The pipeline that carries events from the producer through all stages, open from its construction
 * until {@link #stop}.
 */
interface LatencyPipeline {
    /**
     * Stamps and publishes an event, on the producer's thread; {@code due} is 0 without a schedule.
     */
    void publish(long number, long due) throws InterruptedException;

    /** Ends the stages; an interrupt follows, which is enough for a queue's. */
    default void stop() {}
}
