package handoff.latency;

/**
 * The pipeline that carries events from the producer through all stages, open from its construction
 * until {@link #stop}.
 */
interface LatencyPipeline {
    /**
     * Stamps an event and publishes it; {@code due} is 0 without a schedule. On the producer's
     * thread.
     */
    void publish(long number, long due) throws InterruptedException;

    void stop();
}
