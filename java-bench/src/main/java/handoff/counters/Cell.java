package handoff.counters;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The number that is incremented, alone on its cache lines. */
final class Cell extends CellState {
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    private static final VarHandle COUNT = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "count", VarHandle.class, CellState.class, long.class);

    /**
     * Increments by a load, an addition and a store, without a fence. Opaque access keeps the
     * compiler from merging or dropping the stores of a loop; with plain access, the whole loop
     * would become one addition.
     */
    void plain() {
        COUNT.setOpaque(this, (long) COUNT.getOpaque(this) + 1);
    }

    /** Increments as {@code volatile long count; count++} does. */
    void volatileWrite() {
        COUNT.setVolatile(this, (long) COUNT.getVolatile(this) + 1);
    }

    /** Increments by compare-and-set, retried until no other thread has intervened. */
    void compareAndSet() {
        long seen;
        do {
            seen = (long) COUNT.getVolatile(this);
        } while (!COUNT.compareAndSet(this, seen, seen + 1));
    }

    long get() {
        return (long) COUNT.getVolatile(this);
    }
}

/** The field that all threads write. */
class CellState extends Padding {
    @WrittenBy("every thread")
    long count;
}
