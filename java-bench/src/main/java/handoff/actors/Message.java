package handoff.actors;

import handoff.mechanism.Padding;

/**
 * What goes from actor to actor; one object for a whole chain of messages, of which one at a time
 * is on its way. Padded on both sides, for whichever thread has it writes it.
 */
final class Message extends Padding implements Runnable {
    final int chain;
    final long hops;
    private final ActorGroup group;
    Actor at;
    long hop;
    private final Padding behind = new Padding();

    Message(ActorGroup group, int chain, long hops, Actor first) {
        this.group = group;
        this.chain = chain;
        this.hops = hops;
        this.at = first;
    }

    /**
     * Stores no reference without need: that would mark a card, and neighbouring cards share a
     * cache line.
     */
    void goTo(Actor next) {
        if (at != next) {
            at = next;
        }
    }

    /** Its actor's turn, where no mailbox is needed. */
    @Override
    public void run() {
        group.turn(this);
    }
}
