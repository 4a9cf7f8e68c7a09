package handoff.executors;

/** How a ring maps the number of a slot to its place. */
public enum Index {
    MODULO,
    /** The capacity must be a power of two. */
    MASK
}
