package handoff.actors;

import handoff.mechanism.Padding;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** One thread of {@link SoftAffinity}: runs the actors that are ready here, and when there are none, looks for others' or sleeps. */
final class Worker extends Padding implements Runnable {
    /** How often an idle worker looks for two waiting actors before it takes one, some microseconds in all. */
    private static final int LOOKS = 50;
    private static final int SPINS_BETWEEN = 16;
    /** While others work, an idle worker sleeps no longer: one of them may have added an actor just when it fell asleep. */
    private static final long NAP_NS = 200_000;

    private final SoftAffinity all;
    private final ReadyQueue ready = new ReadyQueue();
    private final int number;
    private final IntConsumer started;
    private Thread thread;
    private volatile boolean sleeps;
    private final Padding behind = new Padding();

    Worker(SoftAffinity all, int number, IntConsumer started) {
        this.all = all;
        this.number = number;
        this.started = started;
    }

    void start(ThreadFactory threads) {
        thread = threads.newThread(this);
        thread.start();
    }

    boolean isCaller() {
        return thread == Thread.currentThread();
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        started.accept(number);
        int next = ReadyQueue.NONE;
        while (!all.closed()) {
            next = next == ReadyQueue.NONE ? elsewhere() : after(next);
        }
    }

    /** Runs one message of an actor; returns who is next. */
    private int after(int actor) {
        if (!all.actor(actor).turn(this)) {
            return ready.poll(1);
        }
        int next = ready.exchange(actor);
        wakeOther();
        return next;
    }

    /** From any thread. The fence, and that of a worker who goes to sleep: one of both sees what the other has done. */
    void add(int actor) {
        ready.add(actor);
        VarHandle.fullFence();
        if (sleeps) {
            wake();
        } else {
            wakeOther();
        }
    }

    /** Somebody sleeps while an actor waits here. Without a fence: who falls asleep while others work will look again by himself. */
    private void wakeOther() {
        if (all.asleep().getPlain() > 0 && ready.size() > 0) {
            all.workers().stream().filter(other -> other.sleeps).findFirst().ifPresent(Worker::wake);
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

    /** Says that it sleeps, then looks once more: whoever adds an actor adds it first, and then looks who sleeps. */
    private int sleep() {
        int sleepers = all.asleep().incrementAndGet();
        sleeps = true;
        VarHandle.fullFence();
        int found = look(1);
        if (found == ReadyQueue.NONE && !all.closed()) {
            if (sleepers == all.workers().size()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, NAP_NS);
            }
        }
        sleeps = false;
        all.asleep().decrementAndGet();
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
