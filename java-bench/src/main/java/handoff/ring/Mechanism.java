package handoff.ring;

import handoff.measure.Expected;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The list of all mechanisms: the post's two rings and its two tasks, its rival, and what came since. */
public enum Mechanism {
    THREAD_PER_NODE(ThreadPerNode::new, Uses.RING),
    SHARED_POOL(SharedPool::new, Uses.with(Uses.POOL, "serialisation")),
    PEKKO(PekkoNodes::new, Uses.POOL),
    SCALA_ACTORS(ScalaNodes::new, Uses.POOL),
    VIRTUAL_THREAD_PER_NODE(VirtualThreadPerNode::new, Uses.POOL),
    PI_TASKS(PiTasks::new, List.of("threads"));

    private final Function<Scenario, Rounds> opening;
    private final List<String> parameters;

    Mechanism(Function<Scenario, Rounds> opening, List<String> parameters) {
        this.opening = opening;
        this.parameters = parameters;
    }

    Rounds open(Scenario scenario) {
        return opening.apply(scenario);
    }

    /** Beyond those of every mechanism, the parameters that make a difference to it. */
    List<String> parameters() {
        return parameters;
    }

    /** Into how many parts the events fall that are counted one by one: tokens, or tasks. */
    int parts(int tokens) {
        return this == PI_TASKS ? PiTasks.TASKS : tokens;
    }

    Expected expected(int nodes, int tokens, long events) {
        return this == PI_TASKS ? PiTasks.expected(events) : Course.expected(nodes, tokens, events / tokens);
    }

    private static final class Uses {
        static final List<String> RING = List.of("size", "tokens", "work");
        static final List<String> POOL = with(RING, "threads");

        static List<String> with(List<String> those, String one) {
            return Stream.concat(those.stream(), Stream.of(one)).toList();
        }
    }
}
