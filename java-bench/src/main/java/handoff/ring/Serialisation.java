package handoff.ring;

/** Whether a pool may run a node on two threads at once, which several tokens make possible. */
public enum Serialisation {
    /** It may: a node is submitted once per message, even while it runs. */
    AS_PUBLISHED,
    /** It may not: like an actor, a node is submitted again after the previous message. */
    SERIALISED
}
