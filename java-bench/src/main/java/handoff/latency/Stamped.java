package handoff.latency;

/** An event of the pipeline; its times are {@link System#nanoTime}'s. */
final class Stamped {
    /** Position in the producer's order. */
    long number;

    /** When it should have been published; 0 without a schedule. */
    long due;

    /** When it was published. */
    long published;

    /** When a stage last read the clock for it. */
    long seen;
}
