package handoff.actors;

/** The time that an actor which always has another message keeps its worker while others wait. */
interface Slice {
    void start();

    /** Returns whether to check {@link #isOver}; call after each message. */
    boolean isTimeToLook();

    /** Returns whether the slice is over while {@code waiting} actors wait. */
    boolean isOver(int waiting);
}
