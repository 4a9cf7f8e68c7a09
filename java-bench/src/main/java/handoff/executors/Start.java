package handoff.executors;

/** When the threads of the JDK's fixed pool start. */
public enum Start {
    /** Before the clock starts, as in every other mechanism. */
    BEFORE,
    /**
     * As published: with the first tasks, while the clock runs. There each thread also pins itself
     * and verifies that, which takes about 100 microseconds.
     */
    INSIDE
}
