package handoff.ladder;

import handoff.work.Event;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A ring as one writes it down first: all its fields are neighbours.
 *
 * <pre>
 *   offset   0        12     16     24     32
 *            │ header │ mask │ tail │ head │ slots │      one cache line
 *
 *   slots    │   │ e │ e │ e │   │   │      event i is in slot i & mask
 *                  ▲           ▲
 *                  head        tail          empty: head == tail, full: tail - head == capacity
 * </pre>
 *
 * Objects start at any multiple of 8 bytes, so that in one of eight rings a line ends between the
 * cursors; each shot has a new ring.
 */
abstract class Ring {
    static final VarHandle TAIL = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "tail", VarHandle.class, Ring.class, long.class);
    static final VarHandle HEAD = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "head", VarHandle.class, Ring.class, long.class);

    /** Number of events put so far; only the producer writes it. */
    long tail;

    /** Number of events taken so far; only the consumer writes it. */
    long head;

    final int mask;
    final Event[] slots;

    /**
     * @param capacity a power of two
     */
    Ring(int capacity) {
        mask = capacity - 1;
        slots = new Event[capacity];
    }
}
