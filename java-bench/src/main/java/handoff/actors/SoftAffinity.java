package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The executor that the post wished for: work stealing that prefers an actor's last thread.
 *
 * <pre>
 *              mailbox of A ────── was empty? ─────▶ ready actors
 *   send ──▶   (one message at a time, in order)     of A's home ───────▶ W1 ── runs A for a slice;
 *                                                         │                ▲    another message?
 *                                                         │  nothing of    └─── then A goes to the
 *                                                         │  its own?           end of the queue
 *                                                         └─────────────▶ W2    is A's home then
 * </pre>
 *
 * An actor waits in at most one queue, its home's. A worker takes the first actor of its own queue;
 * when that is empty, it looks for two actors waiting elsewhere, and only after some ten
 * microseconds takes one that waits alone, because its worker is about to take that itself. Then it
 * sleeps until an actor is sent to it, or waits for a busy worker. No actor starves: every queue is
 * first in, first out without overtaking, and an actor that always has another message goes to its
 * end after a {@link Slice}. (A fork/join pool runs an actor for as long as it sends itself
 * messages, and lets the others starve.)
 */
final class SoftAffinity extends SoftAffinityState {
    private static final VarHandle ASLEEP = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "asleep", VarHandle.class, SoftAffinityState.class, int.class);

    private final List<Worker> workers;

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    /**
     * @param slices creates the slice of each worker
     * @param started called on each worker's thread with its number, from 0, when it is about to
     *     wait for its first message
     */
    SoftAffinity(int workers, Supplier<Slice> slices, ThreadFactory threads, IntConsumer started) {
        this.workers = IntStream.range(0, workers)
                .mapToObj(number -> new Worker(this, number, slices.get(), threads, started))
                .toList();
        this.workers.forEach(Worker::start);
    }

    /**
     * Creates an actor that handles its messages by {@code behaviour}, which must not throw, at
     * first on the {@code worker}-th thread.
     */
    synchronized <M> Address<M> actor(int worker, Consumer<M> behaviour) {
        Address<M> address = new Address<>(actors.length, workers.get(worker), behaviour);
        Address<?>[] more = Arrays.copyOf(actors, actors.length + 1);
        more[actors.length] = address;
        actors = more;
        return address;
    }

    /** Ends the workers; messages that have not been started are dropped. */
    void close() {
        closed = true;
        workers.forEach(Worker::wake);
    }

    /** Wakes one sleeping worker, if any. */
    void wakeOne() {
        for (Worker worker : workers) {
            if (worker.wake()) {
                return;
            }
        }
    }

    List<Worker> workers() {
        return workers;
    }

    Address<?> actor(int number) {
        return actors[number];
    }

    /** Returns the number of sleeping workers, without a fence. */
    int sleepers() {
        return asleep;
    }

    /** Counts one more sleeping worker; returns their number. */
    int fallAsleep() {
        return (int) ASLEEP.getAndAdd(this, 1) + 1;
    }

    /** Counts one less sleeping worker. */
    void awake() {
        ASLEEP.getAndAdd(this, -1);
    }

    boolean closed() {
        return closed;
    }
}

/** The fields that the executor's owner writes. */
class SoftAffinityOwned extends Padding {
    @WrittenBy("the owner")
    volatile Address<?>[] actors = {};

    @WrittenBy("the owner")
    volatile boolean closed;
}

/** Separates the fields that every message reads from the one that sleepers write. */
class SoftAffinityBetween extends SoftAffinityOwned {
    /** Padding, never read. */
    int between;

    long m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;
}

/** The field that idle workers write. */
class SoftAffinityState extends SoftAffinityBetween {
    @WrittenBy("workers that fall asleep or wake")
    int asleep;
}
