package handoff.ring;

import handoff.measure.Padding;
import handoff.measure.Tally;
import handoff.measure.WrittenBy;

/**
 * What goes round. Whoever has it counts its hops; it is handed on through a mailbox, so one thread
 * has it at a time.
 */
final class Token extends TokenState {
    final Tally tally;

    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Token(Tally tally) {
        this.tally = tally;
    }
}

/** What is written at each hop. */
class TokenState extends Padding {
    /** Of its Monte-Carlo samples those within the circle. */
    @WrittenBy("who has the token")
    long hits;
}
