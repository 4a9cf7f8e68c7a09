package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import handoff.mechanism.IdleStrategy;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * An actor's messages, first in, first out, from any number of threads. It also makes exactly one
 * thread at a time responsible for running the actor.
 *
 * <pre>
 *     current                        newest
 *        │                              │
 *     letter ── next ─▶ letter ── next ─▶ letter
 *
 *   newest == null: nothing to do, no thread runs the actor
 *   put             one exchange of newest
 *   next            mostly one read; at the end one compare and set
 * </pre>
 *
 * A thread that puts into an empty mailbox must schedule the actor; the thread that runs it calls
 * {@link #message}, then {@link #next}, and schedules it again if another message waits. No two
 * threads ever run it at once and no message is left behind, just as no waiter is in a queue lock
 * of Mellor-Crummey and Scott.
 */
class Mailbox<M> extends MailboxState<M> {
    private static final VarHandle NEWEST = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "newest", VarHandle.class, MailboxNewest.class, Letter.class);
    private static final VarHandle NEXT = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "next", VarHandle.class, Letter.class, Letter.class);

    /** Padding behind the fields, never read; the first fills the hole that a subclass would. */
    int behind;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    /** Adds a message; returns whether the caller must schedule the actor. */
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

    /** Returns whether no message follows; only for the thread that runs the actor. */
    final boolean isLast() {
        return NEWEST.getOpaque(this) == current;
    }

    /** Returns the current message. */
    final M message() {
        return current.message;
    }

    /**
     * Removes the current message after its handling; returns whether another waits, and the caller
     * must schedule the actor again.
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
     * Waits for the letter behind this one: its sender has exchanged {@code newest}, but may not
     * have linked it yet, two instructions later.
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

/** A message and a link to the next one. */
final class Letter<M> {
    final M message;
    Letter<M> next;

    Letter(M message) {
        this.message = message;
    }
}

/** The field that senders contend for. */
class MailboxNewest<M> extends Padding {
    @WrittenBy("every sender, and the thread that runs the actor at the end")
    Letter<M> newest;
}

/** Separates the senders' field from the reader's. */
class MailboxBetween<M> extends MailboxNewest<M> {
    /** Padding, never read; the first fills the hole behind a reference of four bytes. */
    int between;

    long m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;
}

/** The reader's field. */
class MailboxState<M> extends MailboxBetween<M> {
    @WrittenBy("the thread that must run the actor")
    Letter<M> current;
}
