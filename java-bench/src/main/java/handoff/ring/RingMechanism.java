package handoff.ring;

import handoff.measure.Expected;
import handoff.mechanism.Mechanism;
import java.util.List;
import java.util.function.Function;

/** All mechanisms: the post's two rings and its two tasks, its rival, and later ones. */
public enum RingMechanism implements Mechanism {
    THREAD_PER_NODE(ThreadPerNode::new, Uses.RING),
    SHARED_POOL(SharedPool::new, Mechanism.all(Uses.POOL, List.of("serialisation"))),
    PEKKO(PekkoNodes::new, Uses.POOL),
    SCALA_ACTORS(ScalaNodes::new, Uses.POOL),
    VIRTUAL_THREAD_PER_NODE(VirtualThreadPerNode::new, Uses.POOL),
    PI_TASKS(PiTasks::new, List.of("threads"));

    private final Function<RingSetup, RingHandoff> opening;
    private final List<String> parameters;

    RingMechanism(Function<RingSetup, RingHandoff> opening, List<String> parameters) {
        this.opening = opening;
        this.parameters = parameters;
    }

    RingHandoff open(RingSetup setup) {
        return opening.apply(setup);
    }

    @Override
    public List<String> parameters() {
        return Mechanism.all(parameters, Uses.EVERY);
    }

    /** Returns the number of parts of the events that are counted separately: tokens, or tasks. */
    int parts(int tokens) {
        return this == PI_TASKS ? PiTasks.TASKS : tokens;
    }

    Expected expected(int nodes, int tokens, long events) {
        return this == PI_TASKS
                ? PiTasks.expected(events)
                : RingWorkload.expected(nodes, tokens, events / tokens);
    }

    private static final class Uses {
        static final List<String> RING = List.of("size", "tokens", "work");
        static final List<String> POOL = Mechanism.all(RING, List.of("threads"));
        static final List<String> EVERY =
                List.of("events", "generator", "placement", "collector", "memory");
    }
}
