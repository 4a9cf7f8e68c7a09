package handoff.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One consumer's count of processed events and their checksum. Only its consumer writes it, save by
 * {@link #addShared}; the producer reads the count to learn that a shot is over. Cache lines of
 * padding on both sides keep two consumers' tallies apart.
 */
public final class Tally extends TallyState {
    /** Never read: the padding behind. */
    long r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15;

    private static final VarHandle COUNT;
    private static final VarHandle CHECKSUM;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(TallyState.class, "count", long.class);
            CHECKSUM =
                    MethodHandles.lookup().findVarHandle(TallyState.class, "checksum", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /**
     * Called by the consumer, once per event; what it wrote before is visible to whoever sees the
     * new count.
     */
    public void add(long contribution) {
        checksum += contribution;
        COUNT.setRelease(this, count + 1);
    }

    /**
     * The same for a consumer that takes events in batches: others see the count at the latest when
     * a batch ends. A release store for every event would have the compiler load anew, for each,
     * whatever the loop around it reads.
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
     * The same with a full fence, as a volatile counter costs: what the first Disruptor tests asked
     * of the queues alone.
     */
    public void addVolatile(long contribution) {
        checksum += contribution;
        COUNT.setVolatile(this, count + 1);
    }

    /**
     * Called by the consumer, once per event, when its result is not a sum: {@code result} becomes
     * the checksum; see {@link #add(long, boolean)}.
     */
    public void set(long result, boolean endOfBatch) {
        checksum = result;
        count(endOfBatch);
    }

    /** Called once for {@code events} events. */
    public void addAll(long events, long contribution) {
        checksum += contribution;
        COUNT.setRelease(this, count + events);
    }

    /** Called by any thread, once per event, where consumers own no tally. */
    public void addShared(long contribution) {
        CHECKSUM.getAndAdd(this, contribution);
        COUNT.getAndAdd(this, 1L);
    }

    public long count() {
        return (long) COUNT.getAcquire(this);
    }

    /** Only meaningful after {@link #count} has shown all events. */
    public long checksum() {
        return checksum;
    }
}

/** What its consumer writes for every event. */
class TallyState extends Padding {
    @WrittenBy("its consumer; any, by addShared")
    long count;

    @WrittenBy("its consumer; any, by addShared")
    long checksum;
}
