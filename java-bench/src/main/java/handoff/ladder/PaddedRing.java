package handoff.ladder;

import handoff.measure.Padding;
import handoff.measure.WrittenBy;
import handoff.work.Event;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The same ring as {@link Ring}, but no cursor shares a cache line, nor its neighbour, with
 * anything that another thread reads or writes for its own sake.
 *
 * <pre>
 *   │ 128 │ mask, slots │ 128 │ tail, knownHead │ 128 │ head, knownTail │ 128 │
 *           never written       the producer's          the consumer's
 * </pre>
 */
abstract class PaddedRing extends ConsumerLine {
    static final VarHandle TAIL = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "tail", VarHandle.class, ProducerLine.class, long.class);
    static final VarHandle HEAD = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "head", VarHandle.class, ConsumerLine.class, long.class);

    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    PaddedRing(int capacity) {
        super(capacity);
    }
}

/** The fields that both threads read, and neither writes. */
abstract class Slots extends Padding {
    final int mask;
    final Event[] slots;

    Slots(int capacity) {
        mask = capacity - 1;
        slots = new Event[capacity];
    }
}

/** Separates them from the producer's fields. */
abstract class SlotsPadding extends Slots {
    long l16, l17, l18, l19, l20, l21, l22, l23, l24, l25, l26, l27, l28, l29, l30, l31;

    SlotsPadding(int capacity) {
        super(capacity);
    }
}

/** The producer's fields. */
abstract class ProducerLine extends SlotsPadding {
    /** Number of events put so far. */
    @WrittenBy("the producer")
    long tail;

    /** The head as the producer last saw it, in steps that remember it. */
    @WrittenBy("the producer")
    long knownHead;

    ProducerLine(int capacity) {
        super(capacity);
    }
}

/** Separates the producer's fields from the consumer's. */
abstract class ProducerPadding extends ProducerLine {
    long m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15;

    ProducerPadding(int capacity) {
        super(capacity);
    }
}

/** The consumer's fields. */
abstract class ConsumerLine extends ProducerPadding {
    /** Number of events taken so far. */
    @WrittenBy("the consumer")
    long head;

    /** The tail as the consumer last saw it, in steps that remember it. */
    @WrittenBy("the consumer")
    long knownTail;

    ConsumerLine(int capacity) {
        super(capacity);
    }
}
