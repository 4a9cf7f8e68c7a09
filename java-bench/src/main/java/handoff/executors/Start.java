package handoff.executors;

/** When the threads of the JDK's fixed pool are started. */
public enum Start {
    /** Before the clock, as those of every other mechanism. */
    BEFORE,
    /**
     * As published: by the first tasks, inside the clock; there each also pins itself and proves
     * it, some 100 microseconds.
     */
    INSIDE
}
