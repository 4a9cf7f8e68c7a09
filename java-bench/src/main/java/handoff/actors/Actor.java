package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;

/**
 * State of its own, read and written at random places by every message; padded on both sides, so
 * that neighbours share no cache line. Nothing here is safe for two threads at once: that an actor
 * deals with one message at a time is what a mechanism owes it, and its counts prove it.
 */
final class Actor extends ActorState {
    final int number;
    final Mailbox<Message> mailbox = new Mailbox<>();
    private final int[] state;
    private final AccessGenerator.Places places;

    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Actor(int number, int bytes, AccessGenerator generator) {
        this.number = number;
        this.state = new int[bytes / Integer.BYTES];
        this.places = generator.open();
    }

    /** A message's work. */
    void handle(int accesses) {
        Thread here = Thread.currentThread();
        if (here != last) {
            last = here;
            moves++;
        }
        for (int i = 0; i < accesses; i++) {
            int place = places.next(state.length);
            sum += state[place];
            state[place] = i;
        }
        handled++;
    }

    /** Of all that it has read. */
    long sum() {
        return sum;
    }

    long handled() {
        return handled;
    }

    /** Messages that ran on another thread than the one before. */
    long moves() {
        return Math.max(0, moves - 1);
    }
}

/** What is written at each message. */
class ActorState extends Padding {
    @WrittenBy("the thread that runs the actor")
    long sum;

    @WrittenBy("the thread that runs the actor")
    long handled;

    @WrittenBy("the thread that runs the actor")
    Thread last;

    @WrittenBy("the thread that runs the actor")
    long moves;
}
