package handoff.latency;

/** The stages that read the clock. */
public enum Recording {
    /**
     * The last only, as in the original test: a hop is the total divided by the number of stages.
     */
    LAST_STAGE,
    /** All: each hop on its own, at the price of a reading and a record in every stage. */
    EVERY_STAGE
}
