package handoff.actors;

import handoff.measure.WrittenBy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Where messages for one actor of {@link SoftAffinity} are sent: its mailbox, its home, and what it
 * does with a message.
 */
final class Address<M> extends AddressState<M> {
    private static final VarHandle RUNNING;

    static {
        try {
            RUNNING = MethodHandles.lookup()
                    .findVarHandle(AddressState.class, "running", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int number;
    private final Consumer<M> behaviour;

    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Address(int number, Worker home, Consumer<M> behaviour) {
        this.number = number;
        this.home = home;
        this.behaviour = behaviour;
    }

    /** On any thread. */
    void send(M message) {
        if (isRunByCaller() && !keeps && isLast()) {
            keep(message);
        } else if (put(message)) {
            home.add(number);
        }
    }

    /**
     * Its worker writes {@code home} before {@code running}: so another thread that reads true also
     * reads a home that is not its own.
     */
    private boolean isRunByCaller() {
        return (boolean) RUNNING.getAcquire(this) && home.isCaller();
    }

    /**
     * A reference that is the same is not stored again: that would mark a card, and neighbouring
     * cards share a cache line.
     */
    private void keep(M message) {
        keeps = true;
        if (kept != message) {
            kept = message;
        }
    }

    /** Deals with one message; returns whether there is another. */
    boolean turn(Worker worker) {
        if (home != worker) {
            home = worker;
        }
        M message = keeps ? kept : message();
        keeps = false;
        RUNNING.setRelease(this, true);
        behaviour.accept(message);
        RUNNING.setRelease(this, false);
        return keeps || next();
    }
}

/** What is written at each message. */
class AddressState<M> extends Mailbox<M> {
    /** Whoever finds the mailbox empty sees what was written last. */
    @WrittenBy("the worker that runs the actor")
    Worker home;

    /** Whether its worker is dealing with a message. */
    @WrittenBy("the worker that runs the actor")
    boolean running;

    /** Whether there is one in {@link #kept}. */
    @WrittenBy("the worker that runs the actor")
    boolean keeps;

    /** What the actor sent itself meanwhile, for which it needs no mailbox. */
    @WrittenBy("the worker that runs the actor")
    M kept;
}
