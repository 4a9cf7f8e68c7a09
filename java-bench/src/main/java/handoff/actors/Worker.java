package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * One thread of {@link SoftAffinity}: runs its ready actors; without any, looks for those of other
 * workers, or sleeps.
 */
final class Worker extends WorkerState implements Runnable {
    /**
     * Times that an idle worker looks for two waiting actors before it takes one: about ten
     * microseconds.
     */
    private static final int LOOKS = 50;

    private static final int SPINS_BETWEEN = 16;

    /**
     * Longest sleep of an idle worker, {@link #REST_NS} for the last one awake: an actor may have
     * been added just when it fell asleep.
     */
    private static final long NAP_NS = 200_000;

    private static final long REST_NS = 10_000_000;

    private static final VarHandle SLEEPS = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "sleeps", VarHandle.class, WorkerState.class, boolean.class);

    private final SoftAffinity pool;
    private final ReadyQueue ready = new ReadyQueue();
    private final Slice slice;
    private final int number;
    private final IntConsumer started;
    private final Thread thread;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    Worker(SoftAffinity pool, int number, Slice slice, ThreadFactory threads, IntConsumer started) {
        this.pool = pool;
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
        while (!pool.closed()) {
            if (next == ReadyQueue.NONE) {
                next = findElsewhere();
            } else {
                wakeOther();
                next = runSlice(next);
            }
        }
    }

    /** Runs an actor for a slice; returns the next one. */
    private int runSlice(int actor) {
        Address<?> address = pool.actor(actor);
        slice.start();
        while (address.turn(this)) {
            if (slice.isTimeToLook()) {
                wakeOther();
                if (pool.closed() || slice.isOver(ready.size())) {
                    return ready.exchange(actor);
                }
            }
        }
        return ready.poll(1);
    }

    /**
     * Adds an actor, on any thread. The fence pairs with that of a worker that falls asleep: at
     * least one of the two threads sees what the other has done.
     */
    void add(int actor) {
        ready.add(actor);
        VarHandle.fullFence();
        if (!wake()) {
            wakeOther();
        }
    }

    /** Wakes the worker if it sleeps and no other thread has woken it; returns whether it did. */
    boolean wake() {
        boolean claimed = sleeps && SLEEPS.compareAndSet(this, true, false);
        if (claimed) {
            LockSupport.unpark(thread);
        }
        return claimed;
    }

    /**
     * Wakes a sleeping worker if an actor waits here. Without a fence: a worker that is just
     * falling asleep looks again by itself.
     */
    private void wakeOther() {
        if (pool.sleepers() > 0 && ready.size() > 0) {
            pool.wakeOne();
        }
    }

    /** Returns an actor that has arrived here, or one of another worker; NONE after a sleep. */
    private int findElsewhere() {
        for (int look = 0; look < LOOKS; look++) {
            int actor = look(2);
            if (actor != ReadyQueue.NONE) {
                return actor;
            }
            for (int spin = 0; spin < SPINS_BETWEEN; spin++) {
                Thread.onSpinWait();
            }
        }
        return sleep();
    }

    /**
     * Announces the sleep, then looks once more: a sender first adds its actor, then looks for
     * sleeping workers.
     */
    private int sleep() {
        int sleepers = pool.fallAsleep();
        sleeps = true;
        VarHandle.fullFence();
        int actor = look(1);
        if (actor == ReadyQueue.NONE && !pool.closed()) {
            LockSupport.parkNanos(this, sleepers == pool.workers().size() ? REST_NS : NAP_NS);
        }
        sleeps = false;
        pool.awake();
        return actor;
    }

    /** Removes the first of its own queue, or of another with at least {@code waiting} actors. */
    private int look(int waiting) {
        int actor = ready.poll(1);
        for (int i = 1; actor == ReadyQueue.NONE && i < pool.workers().size(); i++) {
            actor = pool.workers()
                    .get((number + i) % pool.workers().size())
                    .ready
                    .poll(waiting);
        }
        return actor;
    }
}

/** The field that other threads write too. */
class WorkerState extends Padding {
    @WrittenBy("the worker, and the thread that wakes it")
    volatile boolean sleeps;
}
