package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;

/**
 * A message to an actor; one object serves a whole chain of messages, of which one at a time is
 * under way. Padded on both sides, because each thread that holds it writes it.
 */
final class Message extends MessageState implements Runnable {
    final int chain;
    final long hops;
    private final ActorGroup group;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Message(ActorGroup group, int chain, long hops, Actor first) {
        this.group = group;
        this.chain = chain;
        this.hops = hops;
        this.at = first;
    }

    /**
     * Sets the next actor. An unchanged reference is not stored again: that would mark a card, and
     * neighbouring cards share a cache line.
     */
    void goTo(Actor next) {
        if (at != next) {
            at = next;
        }
    }

    /** Runs its actor's turn, for schedulers without mailboxes. */
    @Override
    public void run() {
        group.turn(this);
    }
}

/** The fields written at each hop. */
class MessageState extends Padding {
    @WrittenBy("the message's holder")
    Actor at;

    @WrittenBy("the message's holder")
    long hop;
}
