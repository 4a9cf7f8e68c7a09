package handoff.scaling;

import handoff.mechanism.Handoff;
import handoff.mechanism.Mechanism;
import java.util.List;
import java.util.function.Function;

/** All mechanisms. To add one, write its {@link Handoff} and a constant here. */
public enum ScalingMechanism implements Mechanism {
    SEQUENTIAL(Sequential::new, Family.ALONE),
    ARRAY_BLOCKING_QUEUE(ArrayBlockingQueueHandoff::new, Family.QUEUE),
    LINKED_BLOCKING_QUEUE(LinkedBlockingQueueHandoff::new, Family.QUEUE),
    DISRUPTOR_WORKER_POOL(DisruptorWorkerPool::new, Family.DISRUPTOR),
    DISRUPTOR_STRIPED(DisruptorStriped::new, Family.DISRUPTOR),
    LINKED_TRANSFER_QUEUE(LinkedTransferQueueHandoff::new, Family.UNBOUNDED),
    JCTOOLS_SPMC(JctoolsSpmcHandoff::new, Family.RING),
    DISRUPTOR_4_STRIPED(Disruptor4Striped::open, Family.DISRUPTOR_4),
    YOURS(YoursHandoff::new, Family.QUEUE);

    /** Mechanisms that use the same parameters. */
    enum Family {
        /** The producer does the consumer's work. */
        ALONE(List.of("sorts", "sort", "order", "events", "collector", "memory")),
        /** A queue of any capacity, which takes elements. */
        QUEUE("capacity", "element"),
        /** A queue that is never full. */
        UNBOUNDED(),
        /** A ring whose capacity is a power of two, which takes elements. */
        RING("capacity", "element"),
        /**
         * A ring whose capacity is a power of two, which has its own elements, and consumers with a
         * wait strategy.
         */
        DISRUPTOR_4("capacity", "wait"),
        /** The same in one of several releases. */
        DISRUPTOR("capacity", "wait", "release");

        private final List<String> parameters;

        Family(String... others) {
            this(Mechanism.all(
                    List.of(
                            "consumers",
                            "sorts",
                            "sort",
                            "order",
                            "events",
                            "placement",
                            "collector",
                            "memory"),
                    List.of(others)));
        }

        Family(List<String> parameters) {
            this.parameters = parameters;
        }

        boolean needsPowerOfTwo() {
            return this == RING || this == DISRUPTOR || this == DISRUPTOR_4;
        }
    }

    private final Function<ScalingSetup, Handoff> opening;
    private final Family family;

    ScalingMechanism(Function<ScalingSetup, Handoff> opening, Family family) {
        this.opening = opening;
        this.family = family;
    }

    Handoff open(ScalingSetup setup) {
        return opening.apply(setup);
    }

    Family family() {
        return family;
    }

    @Override
    public List<String> parameters() {
        return family.parameters;
    }
}
