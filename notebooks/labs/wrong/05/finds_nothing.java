// answer: model
// wrong: its operations say nothing, so every outcome is explained
import handoff.queues.*;
import java.util.*;
import org.jetbrains.lincheck.datastructures.*;

public class QueueCheck {
    static final int CAPACITY = 2;

    private final BoundedQueue<Integer> queue = Subject.open(CAPACITY);

    @Operation(nonParallelGroup = "producer")
    public void offer(@Param(gen = IntGen.class, conf = "1:9") int item) {
        queue.offer(item);
    }

    @Operation(nonParallelGroup = "consumer")
    public void poll() {
        queue.poll();
    }

    /** What it must look like from outside. */
    public static class Specification {
        private final Deque<Integer> items = new ArrayDeque<>();

        public void offer(int item) {
            items.add(item);
        }

        public void poll() {
            items.poll();
        }
    }

    public static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(2)
                .iterations(30)
                .invocationsPerIteration(200)
                .sequentialSpecification(Specification.class);
    }
}
