package handoff.latency;

/** What goes through the pipeline; times are {@link System#nanoTime}'s. */
final class Stamped {
    /** Its place in the producer's order. */
    long number;

    /** When it should have been published; 0 without a schedule. */
    long due;

    /** When it was published. */
    long published;

    /** When the last stage that read the clock did. */
    long seen;
}
