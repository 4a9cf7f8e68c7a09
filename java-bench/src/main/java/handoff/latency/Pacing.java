package handoff.latency;

/** The time at which the producer publishes the next event. */
public enum Pacing {
    /**
     * A gap after the previous one was published, as in the original test: a full queue then lowers
     * the rate.
     */
    AFTER_PUBLISH,
    /**
     * At its due time, start + (i + 1) × gap, or at once when that has passed: a full queue delays
     * events, but does not lower the rate.
     */
    SCHEDULE
}
