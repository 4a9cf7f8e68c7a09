package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;

/**
 * An actor whose state every message reads and writes at random places; padded on both sides, so
 * that neighbours share no cache line. It is not thread-safe: a mechanism must run it on one thread
 * at a time, and its counts prove that.
 */
final class Actor extends ActorState {
    final int number;
    final Mailbox<Message> mailbox = new Mailbox<>();
    private final int[] state;
    private final AccessGenerator.Places places;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Actor(int number, int bytes, AccessGenerator generator) {
        this.number = number;
        this.state = new int[bytes / Integer.BYTES];
        this.places = generator.open();
    }

    /** Does the work of a message. */
    void handle(int accesses) {
        Thread current = Thread.currentThread();
        if (current != last) {
            last = current;
            moves++;
        }
        for (int i = 0; i < accesses; i++) {
            int place = places.next(state.length);
            sum += state[place];
            state[place] = i;
        }
        handled++;
    }

    /** Returns the sum of all numbers read. */
    long sum() {
        return sum;
    }

    long handled() {
        return handled;
    }

    /** Returns the number of messages that ran on another thread than the previous one. */
    long moves() {
        return Math.max(0, moves - 1);
    }
}

/** The fields written at each message. */
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
