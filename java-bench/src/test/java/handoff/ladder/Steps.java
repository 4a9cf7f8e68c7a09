package handoff.ladder;

import handoff.work.Event;
import java.util.function.IntFunction;

/** The steps that never sleep, as tests open them, and two that are wrong on purpose. */
enum Steps {
    ONE_LOCK_IDLE(OneLockIdle::new),
    TWO_LOCKS(TwoLocks::new),
    NO_LOCK(NoLock::new),
    PADDED_CURSORS(PaddedCursors::new),
    RELEASE_ACQUIRE(ReleaseAcquire::new),
    CACHED_CURSORS(CachedCursors::new),
    REUSED_EVENTS(ReusedEvents::new),
    BATCHED(Batched::new),
    BATCHED_UNPADDED(BatchedUnpadded::new),
    BATCHED_VOLATILE(BatchedVolatile::new),
    BATCHED_UNCACHED(BatchedUncached::new),
    BATCHED_ALLOCATING(BatchedAllocating::new),
    PUBLISHES_EARLY(PublishesEarly::new),
    READS_PLAINLY(ReadsPlainly::new);

    private final IntFunction<PolledStep> opening;

    Steps(IntFunction<PolledStep> opening) {
        this.opening = opening;
    }

    PolledStep open(int capacity) {
        return opening.apply(capacity);
    }

    /** Hands over an event of this value in the step's own way; returns false when it is full. */
    static boolean offer(PolledStep step, long value) throws InterruptedException {
        return step instanceof ReusingStep reusing
                ? reusing.offer(value)
                : ((AllocatingStep) step).offer(new Event(value));
    }
}
