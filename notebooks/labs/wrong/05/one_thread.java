// answer: model
// wrong: it explores one thread
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
            return items.poll();
        }
    }

    public static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(1)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(2)
                .iterations(30)
                .invocationsPerIteration(200)
                .sequentialSpecification(Specification.class);
    }
}
