package handoff.latency;

/** Which stages read the clock. */
public enum Recording {
    /** The last one only, as in the original test: a hop is the whole way divided by the stages. */
    LAST_STAGE,
    /**
     * Every one: each hop by itself, at the price of a reading and a record more in every stage.
     */
    EVERY_STAGE
}
