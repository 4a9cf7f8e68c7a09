package handoff.actors;

/** How long an actor that always has another message keeps its worker while others wait for it. */
interface Slice {
    void begin();

    /** Call after each message. */
    boolean isTimeToLook();

    /** Call when it is time to look; whether the slice is over where so many wait. */
    boolean isOver(int waiting);
}
