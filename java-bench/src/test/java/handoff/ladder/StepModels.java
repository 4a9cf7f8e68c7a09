package handoff.ladder;

import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** The steps as the model checker runs them, with two places, one producer and one consumer. */
final class StepModels {
    private static final int CAPACITY = 2;

    /** The step to check; the checker makes its models without arguments. */
    static Steps checked;

    private StepModels() {}

    /** Returns the value of the event that it took. */
    private static final class Last extends EventConsumer {
        private Integer value;

        Last() {
            super(null, null);
        }

        @Override
        public void accept(Event event) {
            value = (int) event.value;
        }
    }

    /** A step that takes one event at a time. */
    public static final class Single {
        private final PolledStep step = checked.open(CAPACITY);

        @Operation(nonParallelGroup = "producer")
        public boolean offer(@Param(gen = IntGen.class, conf = "10:99") int value)
                throws InterruptedException {
            return Steps.offer(step, value);
        }

        @Operation(nonParallelGroup = "consumer")
        public Integer poll() throws InterruptedException {
            Last last = new Last();
            step.poll(last);
            return last.value;
        }
    }

    /** What {@link Single} must be: first in, first out. */
    public static final class Queue {
        private final Deque<Integer> values = new ArrayDeque<>();

        public boolean offer(int value) {
            return values.size() < CAPACITY && values.add(value);
        }

        public Integer poll() {
            return values.poll();
        }
    }

    /** A consumer that knows which event must come next. */
    private static final class InOrder extends EventConsumer {
        private long expected;

        InOrder() {
            super(null, null);
        }

        @Override
        public void accept(Event event) {
            if (event.value != expected++) {
                throw new IllegalStateException("lost, repeated or out of order");
            }
        }
    }

    /**
     * A step that takes batches, whose size no sequence of operations explains: its slots become
     * free together, and later than it looked for the batch's end. Each event must come once, in
     * order.
     */
    public static final class Batches {
        private final PolledStep step = checked.open(CAPACITY);
        private final InOrder consumer = new InOrder();
        private long next;

        @Operation(nonParallelGroup = "producer")
        public void offer() throws InterruptedException {
            if (Steps.offer(step, next)) {
                next++;
            }
        }

        @Operation(nonParallelGroup = "consumer")
        public void poll() throws InterruptedException {
            step.poll(consumer);
        }
    }

    /**
     * What {@link Sleeping} must be, seen from outside: every operation ends, and none throws. The
     * checker runs operations of this one after the other, where a real queue would sleep forever.
     */
    public static final class Ending {
        public void put() {
            // Nothing to return.
        }

        public void take() {
            // Nothing to return.
        }
    }

    /** A step whose threads sleep. */
    abstract static class Sleeping {
        private final Step step;
        private final InOrder consumer = new InOrder();
        private long next;

        Sleeping(Step step) {
            this.step = step;
        }

        @Operation(nonParallelGroup = "producer")
        public void put() throws InterruptedException {
            step.put(next++);
        }

        @Operation(nonParallelGroup = "consumer")
        public void take() throws InterruptedException {
            step.take(consumer);
        }
    }

    public static final class OneLockSleeping extends Sleeping {
        public OneLockSleeping() {
            super(new OneLock(CAPACITY));
        }
    }

    public static final class JdkSleeping extends Sleeping {
        public JdkSleeping() {
            super(new JdkQueue(CAPACITY));
        }
    }
}
