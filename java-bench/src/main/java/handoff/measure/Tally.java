package handoff.measure;

import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One consumer's count of processed events and their checksum. Only its consumer writes it, except
 * through {@link #addShared}; the producer reads the count to detect the end of a shot. Padding on
 * both sides keeps two consumers' tallies on separate cache lines.
 */
public final class Tally extends TallyState {
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    private static final VarHandle COUNT = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "count", VarHandle.class, TallyState.class, long.class);
    private static final VarHandle CHECKSUM = ConstantBootstraps.fieldVarHandle(
            MethodHandles.lookup(), "checksum", VarHandle.class, TallyState.class, long.class);

    /**
     * Counts one event, on the consumer's thread; its earlier writes are visible to any thread that
     * sees the new count.
     */
    public void add(long contribution) {
        checksum += contribution;
        COUNT.setRelease(this, count + 1);
    }

    /**
     * Counts one event of a batch: other threads see the count when the batch ends, at the latest.
     * A release store per event would make the compiler reload, for each, what the surrounding loop
     * reads.
     */
    public void add(long contribution, boolean endOfBatch) {
        checksum += contribution;
        count(endOfBatch);
    }

    private void count(boolean endOfBatch) {
        if (endOfBatch) {
            COUNT.setRelease(this, count + 1);
        } else {
            count++;
        }
    }

    /**
     * Counts one event with a full fence, as a volatile counter does: a cost that the first
     * Disruptor tests imposed on the queues alone.
     */
    public void addVolatile(long contribution) {
        checksum += contribution;
        COUNT.setVolatile(this, count + 1);
    }

    /**
     * Counts one event whose result is not a sum: {@code result} becomes the checksum; see {@link
     * #add(long, boolean)}.
     */
    public void set(long result, boolean endOfBatch) {
        checksum = result;
        count(endOfBatch);
    }

    /** Counts {@code events} events at once. */
    public void addAll(long events, long contribution) {
        checksum += contribution;
        COUNT.setRelease(this, count + events);
    }

    /** Counts one event on any thread, for mechanisms whose consumers own no tally. */
    public void addShared(long contribution) {
        CHECKSUM.getAndAdd(this, contribution);
        COUNT.getAndAdd(this, 1L);
    }

    public long count() {
        return (long) COUNT.getAcquire(this);
    }

    /** Returns the checksum, which is complete once {@link #count} has shown all events. */
    public long checksum() {
        return checksum;
    }
}

/** The fields written for every event. */
class TallyState extends Padding {
    @WrittenBy("its consumer; any, by addShared")
    long count;

    @WrittenBy("its consumer; any, by addShared")
    long checksum;
}
