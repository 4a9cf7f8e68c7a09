package handoff.ring;

import handoff.measure.Tally;
import handoff.mechanism.Padding;

/**
 * What goes round. Whoever has it counts its hops; it is handed on through a mailbox, so one thread
 * has it at a time.
 */
final class Token extends Padding {
    final Tally tally;

    /** Of its Monte-Carlo samples those within the circle. */
    long hits;

    Token(Tally tally) {
        this.tally = tally;
    }
}
