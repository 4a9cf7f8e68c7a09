package handoff.latency;

/** When the producer publishes the next event. */
public enum Pacing {
    /**
     * A gap after the last one was published, as in the original test: a producer held up by a full
     * queue then offers less.
     */
    AFTER_PUBLISH,
    /**
     * At its due time, start + (i + 1) × gap, or at once when that has passed: what was held up is
     * offered all the same, and late.
     */
    SCHEDULE
}
