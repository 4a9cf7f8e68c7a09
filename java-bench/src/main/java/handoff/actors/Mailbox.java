package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import handoff.mechanism.IdleStrategy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An actor's messages, first in, first out, from any number of threads; and the answer to who has
 * to run the actor, which it gives to exactly one thread at a time.
 *
 * <pre>
 *     current                        newest
 *        │                              │
 *     letter ── next ─▶ letter ── next ─▶ letter
 *
 *   newest == null: nothing to do, nobody runs the actor
 *   put             one exchange of newest
 *   next            mostly one read; at the end one compare and set
 * </pre>
 *
 * Who puts into an empty mailbox must have the actor run; who runs it calls {@link #message}, then
 * {@link #next}, and has it run again if there is one. No two threads ever run it and no message is
 * left behind, as no waiter is in a queue lock of Mellor-Crummey and Scott.
 */
class Mailbox<M> extends MailboxState<M> {
    private static final VarHandle NEWEST;
    private static final VarHandle NEXT;

    static {
        try {
            NEWEST = MethodHandles.lookup()
                    .findVarHandle(MailboxNewest.class, "newest", Letter.class);
            NEXT = MethodHandles.lookup().findVarHandle(Letter.class, "next", Letter.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Never read: the padding behind; the first fills the hole that a subclass would. */
    int behind;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    /** Returns whether the caller has to have the actor run. */
    @SuppressWarnings("unchecked")
    final boolean put(M message) {
        Letter<M> letter = new Letter<>(message);
        Letter<M> before = (Letter<M>) NEWEST.getAndSet(this, letter);
        if (before == null) {
            current = letter;
            return true;
        }
        NEXT.setRelease(before, letter);
        return false;
    }

    /** Whether nothing waits behind the one to deal with now. Only for who runs the actor. */
    final boolean isLast() {
        return NEWEST.getOpaque(this) == current;
    }

    /** The one to deal with now. */
    final M message() {
        return current.message;
    }

    /**
     * Call when it has been dealt with; returns whether there is another, and the caller has to
     * have the actor run again.
     */
    final boolean next() {
        Letter<M> done = current;
        if (NEXT.getAcquire(done) == null && NEWEST.compareAndSet(this, done, null)) {
            return false;
        }
        current = follower(done);
        return true;
    }

    /**
     * Somebody has put a letter behind this one, but may not have said so yet: two instructions lie
     * between.
     */
    @SuppressWarnings("unchecked")
    private static <M> Letter<M> follower(Letter<M> done) {
        Letter<M> next = (Letter<M>) NEXT.getAcquire(done);
        for (int spin = 1; next == null; spin++) {
            IdleStrategy.SPIN_THEN_YIELD.idle(spin);
            next = (Letter<M>) NEXT.getAcquire(done);
        }
        return next;
    }
}

/** A message and the one behind it. */
final class Letter<M> {
    final M message;
    Letter<M> next;

    Letter(M message) {
        this.message = message;
    }
}

/** Where senders meet. */
class MailboxNewest<M> extends Padding {
    @WrittenBy("every sender, and who runs the actor when nothing is left")
    Letter<M> newest;
}

/** Keeps senders from who reads. */
class MailboxBetween<M> extends MailboxNewest<M> {
    /** Never read; the first fills the hole behind a reference of four bytes. */
    int between;

    long m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;
}

/** Where it is read. */
class MailboxState<M> extends MailboxBetween<M> {
    @WrittenBy("who has to run the actor")
    Letter<M> current;
}
