package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * One thread of {@link SoftAffinity}: runs the actors that are ready here, and when there are none,
 * looks for others' or sleeps.
 */
final class Worker extends WorkerState implements Runnable {
    /**
     * How often an idle worker looks for two waiting actors before it takes one: some ten
     * microseconds in all.
     */
    private static final int LOOKS = 50;

    private static final int SPINS_BETWEEN = 16;

    /**
     * An idle worker sleeps no longer than this, the last one awake longer: somebody may have added
     * an actor just when it fell asleep.
     */
    private static final long NAP_NS = 200_000;

    private static final long REST_NS = 10_000_000;

    private static final VarHandle SLEEPS;

    static {
        try {
            SLEEPS = MethodHandles.lookup()
                    .findVarHandle(WorkerState.class, "sleeps", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final SoftAffinity all;
    private final ReadyQueue ready = new ReadyQueue();
    private final Slice slice;
    private final int number;
    private final IntConsumer started;
    private final Thread thread;

    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Worker(
            SoftAffinity all,
            int number,
            Slice slice,
            ThreadFactory threads,
            IntConsumer started) {
        this.all = all;
        this.slice = slice;
        this.number = number;
        this.started = started;
        thread = threads.newThread(this);
    }

    void start() {
        thread.start();
    }

    boolean isCaller() {
        return thread == Thread.currentThread();
    }

    @Override
    public void run() {
        started.accept(number);
        int next = ReadyQueue.NONE;
        while (!all.closed()) {
            if (next == ReadyQueue.NONE) {
                next = elsewhere();
            } else {
                wakeOther();
                next = after(next);
            }
        }
    }

    /** Runs an actor for a slice; returns who is next. */
    private int after(int actor) {
        Address<?> address = all.actor(actor);
        slice.begin();
        while (address.turn(this)) {
            if (slice.isTimeToLook()) {
                wakeOther();
                if (all.closed() || slice.isOver(ready.size())) {
                    return ready.exchange(actor);
                }
            }
        }
        return ready.poll(1);
    }

    /**
     * From any thread. The fence, and that of a worker who goes to sleep: one of both sees what the
     * other has done.
     */
    void add(int actor) {
        ready.add(actor);
        VarHandle.fullFence();
        if (!wake()) {
            wakeOther();
        }
    }

    /** Wakes the worker if it sleeps and nobody else has woken it; returns whether. */
    boolean wake() {
        boolean claimed = sleeps && SLEEPS.compareAndSet(this, true, false);
        if (claimed) {
            LockSupport.unpark(thread);
        }
        return claimed;
    }

    /**
     * Somebody sleeps while an actor waits here. Without a fence: who falls asleep just now will
     * look again by himself.
     */
    private void wakeOther() {
        if (all.sleepers() > 0 && ready.size() > 0) {
            all.wakeOne();
        }
    }

    /** An actor of its own that came meanwhile, or another's; NONE after a sleep. */
    private int elsewhere() {
        for (int look = 0; look < LOOKS; look++) {
            int found = look(2);
            if (found != ReadyQueue.NONE) {
                return found;
            }
            for (int spin = 0; spin < SPINS_BETWEEN; spin++) {
                Thread.onSpinWait();
            }
        }
        return sleep();
    }

    /**
     * Says that it sleeps, then looks once more: whoever adds an actor adds it first, and then
     * looks who sleeps.
     */
    private int sleep() {
        int sleepers = all.fallAsleep();
        sleeps = true;
        VarHandle.fullFence();
        int found = look(1);
        if (found == ReadyQueue.NONE && !all.closed()) {
            LockSupport.parkNanos(this, sleepers == all.workers().size() ? REST_NS : NAP_NS);
        }
        sleeps = false;
        all.awake();
        return found;
    }

    /** The first of its own queue, or of another in which at least {@code waiting} wait. */
    private int look(int waiting) {
        int found = ready.poll(1);
        for (int i = 1; found == ReadyQueue.NONE && i < all.workers().size(); i++) {
            found = all.workers().get((number + i) % all.workers().size()).ready.poll(waiting);
        }
        return found;
    }
}

/** What others write too. */
class WorkerState extends Padding {
    @WrittenBy("the worker, and who wakes it")
    volatile boolean sleeps;
}
