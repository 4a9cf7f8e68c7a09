package handoff.ring;

/** Whether a pool may run one node on two threads at once, which several tokens make possible. */
public enum Serialisation {
    /** It may: a node is submitted once for each message, whatever else it is doing. */
    AS_PUBLISHED,
    /**
     * It may not: a node is submitted again when it is done with the message before, as an actor
     * is.
     */
    SERIALISED
}
