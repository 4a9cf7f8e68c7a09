package handoff.executors;

/** How a ring turns a slot's number into its place. */
public enum Index {
    MODULO,
    /** The capacity must be a power of two. */
    MASK
}
