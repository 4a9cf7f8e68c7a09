package handoff.actors;

import handoff.mechanism.Padding;

/**
 * State of its own, read and written at random places by every message; padded on both sides, so
 * that neighbours share no cache line. Nothing here is safe for two threads at once: that an actor
 * deals with one message at a time is what a mechanism owes it, and its counts prove it.
 */
final class Actor extends Padding {
    final int number;
    final Mailbox<Message> mailbox = new Mailbox<>();
    private final int[] state;
    private final AccessGenerator.Places places;
    private final Padding behind;
    private long sum;
    private long handled;
    private Thread last;
    private long moves;

    Actor(int number, int bytes, AccessGenerator generator) {
        this.number = number;
        this.state = new int[bytes / Integer.BYTES];
        this.places = generator.open();
        this.behind = new Padding();
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
