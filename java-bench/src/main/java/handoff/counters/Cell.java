package handoff.counters;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The number that is incremented, alone on its cache lines. */
final class Cell extends CellState {
    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(CellState.class, "count", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * A load, an addition and a store, without any fence. Opaque access forbids the compiler to
     * merge or drop the stores of a loop, which plain access allows: it would turn the whole loop
     * into one addition.
     */
    void plain() {
        COUNT.setOpaque(this, (long) COUNT.getOpaque(this) + 1);
    }

    /** What {@code volatile long count; count++} compiles to. */
    void volatileWrite() {
        COUNT.setVolatile(this, (long) COUNT.getVolatile(this) + 1);
    }

    /** Tries until no other thread came between. */
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

/** What all threads write. */
class CellState extends Padding {
    @WrittenBy("every thread")
    long count;
}
