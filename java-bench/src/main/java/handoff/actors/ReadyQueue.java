package handoff.actors;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import handoff.mechanism.IdleStrategy;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The numbers of the actors that wait for one worker: a circular buffer, first in, first out, under
 * a lock that is held for some ten instructions. An owner that adds one and takes one does both
 * under one lock; a thief that finds too few takes no lock. It holds numbers because storing a
 * reference also marks a card, and neighbouring cards share a cache line.
 */
final class ReadyQueue extends ReadyQueueState {
    static final int NONE = -1;

    private static final VarHandle HELD = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "held", VarHandle.class, ReadyQueueState.class, boolean.class);
    private static final VarHandle SIZE = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "size", VarHandle.class, ReadyQueueState.class, int.class);

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    int size() {
        return (int) SIZE.getOpaque(this);
    }

    void add(int number) {
        lock();
        append(number);
        unlock();
    }

    /** Removes the first of at least {@code atLeast} actors, 1 or more; NONE when fewer wait. */
    int poll(int atLeast) {
        if (size() < atLeast) {
            return NONE;
        }
        lock();
        int number = size < atLeast ? NONE : remove();
        unlock();
        return number;
    }

    /** Adds an actor and removes the first, which may be the same. */
    int exchange(int number) {
        if (size() == 0) {
            return number;
        }
        lock();
        append(number);
        int head = remove();
        unlock();
        return head;
    }

    private void append(int number) {
        if (size == circle.length) {
            int[] longer = Arrays.copyOf(circle, 2 * size);
            System.arraycopy(circle, 0, longer, size, first);
            circle = longer;
        }
        circle[first + size & circle.length - 1] = number;
        SIZE.setOpaque(this, size + 1);
    }

    private int remove() {
        int head = circle[first];
        first = first + 1 & circle.length - 1;
        SIZE.setOpaque(this, size - 1);
        return head;
    }

    private void lock() {
        for (int spin = 1; !HELD.compareAndSet(this, false, true); spin++) {
            IdleStrategy.SPIN_THEN_YIELD.idle(spin);
        }
    }

    private void unlock() {
        HELD.setRelease(this, false);
    }
}

/** The lock and the fields that it protects: a thread that takes it is about to write them. */
class ReadyQueueState extends Padding {
    @WrittenBy("the thread that takes or holds the lock")
    boolean held;

    @WrittenBy("the thread that takes or holds the lock")
    int[] circle = new int[16];

    @WrittenBy("the thread that takes or holds the lock")
    int first;

    @WrittenBy("the thread that takes or holds the lock")
    int size;
}
