package handoff.scaling;

import handoff.mechanism.Handoff;
import handoff.mechanism.Mechanism;
import java.util.List;
import java.util.function.Function;

/** The list of all mechanisms: to add one, write its {@link Handoff} and name it here. */
public enum ScalingMechanism implements Mechanism {
    SEQUENTIAL(Sequential::new, List.of("sorts", "order", "events", "collector")),
    ARRAY_BLOCKING_QUEUE(ArrayBlockingQueueHandoff::new, Uses.QUEUE),
    LINKED_BLOCKING_QUEUE(LinkedBlockingQueueHandoff::new, Uses.QUEUE),
    DISRUPTOR_WORKER_POOL(DisruptorWorkerPool::new, Uses.RING),
    DISRUPTOR_STRIPED(DisruptorStriped::new, Uses.RING);

    private final Function<ScalingSetup, Handoff> opening;
    private final List<String> parameters;

    ScalingMechanism(Function<ScalingSetup, Handoff> opening, List<String> parameters) {
        this.opening = opening;
        this.parameters = parameters;
    }

    Handoff open(ScalingSetup setup) {
        return opening.apply(setup);
    }

    @Override
    public List<String> parameters() {
        return parameters;
    }

    /** The parameters of a family of mechanisms. */
    private static final class Uses {
        static final List<String> QUEUE = List.of(
                "consumers",
                "sorts",
                "order",
                "events",
                "capacity",
                "element",
                "placement",
                "collector");
        static final List<String> RING = List.of(
                "consumers",
                "sorts",
                "order",
                "events",
                "capacity",
                "wait",
                "placement",
                "collector");
    }
}
