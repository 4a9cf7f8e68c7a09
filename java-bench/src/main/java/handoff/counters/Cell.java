package handoff.counters;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The number that is incremented, alone on its cache lines. */
final class Cell extends CellRight {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(CellValue.class, "count", long.class);
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

class CellLeft {
    long l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15;
}

class CellValue extends CellLeft {
    long count;
}

class CellRight extends CellValue {
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;
}
