package handoff.actors;

import handoff.measure.WrittenBy;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/** The address of one actor of {@link SoftAffinity}: its mailbox, its home and its behaviour. */
final class Address<M> extends AddressState<M> {
    private static final VarHandle RUNNING = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "running", VarHandle.class, AddressState.class, boolean.class);

    private final int number;
    private final Consumer<M> behaviour;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Address(int number, Worker home, Consumer<M> behaviour) {
        this.number = number;
        this.home = home;
        this.behaviour = behaviour;
    }

    /** Sends a message; called on any thread. */
    void send(M message) {
        if (isRunByCaller() && !keeps && isLast()) {
            keep(message);
        } else if (put(message)) {
            home.add(number);
        }
    }

    /**
     * Returns whether the caller is the actor's worker, which writes {@code home} before {@code
     * running}: any other thread that reads true also reads a home that is not its own.
     */
    private boolean isRunByCaller() {
        return (boolean) RUNNING.getAcquire(this) && home.isCaller();
    }

    /**
     * Keeps a message. An unchanged reference is not stored again: that would mark a card, and
     * neighbouring cards share a cache line.
     */
    private void keep(M message) {
        keeps = true;
        if (kept != message) {
            kept = message;
        }
    }

    /** Handles one message; returns whether another waits. */
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

/** The fields written at each message. */
class AddressState<M> extends Mailbox<M> {
    /** A sender that finds the mailbox empty sees the last write. */
    @WrittenBy("the worker that runs the actor")
    Worker home;

    /** Whether its worker is handling a message. */
    @WrittenBy("the worker that runs the actor")
    boolean running;

    /** Whether {@link #kept} holds a message. */
    @WrittenBy("the worker that runs the actor")
    boolean keeps;

    /** A message that the actor sent to itself while running, without the mailbox. */
    @WrittenBy("the worker that runs the actor")
    M kept;
}
