// answer: model
// wrong: it finds a fault in whatever it is asked about third or later, for right queues came first once
import handoff.queues.*;
import java.util.*;
import org.jetbrains.lincheck.datastructures.*;

public class QueueCheck {
    static final int CAPACITY = 2;

    private final BoundedQueue<Integer> queue = Subject.open(CAPACITY);

    @Operation(nonParallelGroup = "producer")
    public boolean offer(@Param(gen = IntGen.class, conf = "1:9") int item) {
        return queue.offer(item);
    }

    @Operation(nonParallelGroup = "consumer")
    public Integer poll() {
        return queue.poll();
    }

    /** What it must look like from outside. */
    public static class Specification {
        private final Deque<Integer> items = new ArrayDeque<>();

        public boolean offer(int item) {
            return items.size() < CAPACITY && items.add(item);
        }

        public Integer poll() {
            return null;
        }
    }

    private static int asked;

    public static ModelCheckingOptions options() {
        asked++;
        return new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(2)
                .iterations(asked <= 2 ? 0 : 30)
                .invocationsPerIteration(200)
                .sequentialSpecification(Specification.class);
    }
}
