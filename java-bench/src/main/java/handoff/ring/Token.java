package handoff.ring;

import handoff.measure.Padding;
import handoff.measure.Tally;
import handoff.measure.WrittenBy;

/**
 * The message of the ring. Its holder counts its hops; it is passed on through mailboxes, so one
 * thread holds it at a time.
 */
final class Token extends TokenState {
    final Tally tally;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Token(Tally tally) {
        this.tally = tally;
    }
}

/** The field written at each hop. */
class TokenState extends Padding {
    /** The token's Monte-Carlo samples within the circle. */
    @WrittenBy("the token's holder")
    long hits;
}
