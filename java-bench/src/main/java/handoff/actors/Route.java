package handoff.actors;

/** The next actor of a message that has been handled. */
public enum Route {
    /** The same actor: its next message is sent from inside the previous one. */
    SELF {
        @Override
        int next(int actor, int chain, long hop, int actors) {
            return actor;
        }
    },
    /**
     * Any actor, as in a program whose actors communicate: the sender's thread is rarely the
     * receiver's. Not in the post.
     */
    OTHERS {
        @Override
        int next(int actor, int chain, long hop, int actors) {
            return (int) ((ActorGroup.mix(hop * actors + chain) >>> 33) * actors >>> 31);
        }
    };

    /**
     * Returns the actor that gets the message of a chain after its {@code hop}-th hop; the same in
     * every shot.
     */
    abstract int next(int actor, int chain, long hop, int actors);
}
