package handoff.actors;

/** Where a message goes when it has been dealt with. */
public enum Route {
    /** To the same actor again: an actor's next message is sent from inside the one before. */
    SELF {
        @Override
        int next(int actor, int chain, long hop, int actors) {
            return actor;
        }
    },
    /**
     * To any actor, as in a program whose actors talk to each other: the sender's thread is rarely
     * the receiver's. Not in the post.
     */
    OTHERS {
        @Override
        int next(int actor, int chain, long hop, int actors) {
            return (int) ((ActorGroup.mix(hop * actors + chain) >>> 33) * actors >>> 31);
        }
    };

    /**
     * The actor that gets the message of a chain after its {@code hop}-th hop; the same in every
     * shot.
     */
    abstract int next(int actor, int chain, long hop, int actors);
}
