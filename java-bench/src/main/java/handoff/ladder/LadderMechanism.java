package handoff.ladder;

import handoff.mechanism.Handoff;
import handoff.mechanism.Mechanism;
import handoff.work.Event;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * All mechanisms: the steps in their order, each of which differs from the one before by one
 * decision; the last step without one of its decisions; and references.
 */
public enum LadderMechanism implements Mechanism {
    SEQUENTIAL(
            List.of("sorts", "sort", "order", "events", "collector", "memory"), setup -> events -> {
                for (long i = 0; i < events; i++) {
                    setup.consumer().accept(new Event(i));
                }
            }),
    ARRAY_BLOCKING_QUEUE(JdkQueue::new),
    ONE_LOCK(OneLock::new),
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
    JCTOOLS_SPSC(JctoolsSpsc::new),
    DISRUPTOR(Mechanism.all(Parameters.STEP, List.of("release")), DisruptorHandoff::open);

    private interface Parameters {
        List<String> STEP = List.of(
                "sorts", "sort", "order", "events", "capacity", "placement", "collector", "memory");
    }

    private final List<String> parameters;
    private final Function<LadderSetup, Handoff> opening;

    LadderMechanism(IntFunction<Step> step) {
        this(Parameters.STEP, setup -> new StepHandoff(step.apply(setup.capacity()), setup));
    }

    LadderMechanism(List<String> parameters, Function<LadderSetup, Handoff> opening) {
        this.parameters = parameters;
        this.opening = opening;
    }

    Handoff open(LadderSetup setup) {
        return opening.apply(setup);
    }

    @Override
    public List<String> parameters() {
        return parameters;
    }
}
