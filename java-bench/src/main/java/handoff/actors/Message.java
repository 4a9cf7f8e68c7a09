package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;

/**
 * What goes from actor to actor; one object for a whole chain of messages, of which one at a time
 * is on its way. Padded on both sides, for whichever thread has it writes it.
 */
final class Message extends MessageState implements Runnable {
    final int chain;
    final long hops;
    private final ActorGroup group;

    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

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

/** What is written at each hop. */
class MessageState extends Padding {
    @WrittenBy("who has the message")
    Actor at;

    @WrittenBy("who has the message")
    long hop;
}
