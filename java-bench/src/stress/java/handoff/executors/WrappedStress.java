package handoff.executors;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A producer that comes round to the slot that a worker is just reading; the bug sown on purpose is
 * among them.
 */
public class WrappedStress {
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "the two oldest")
    @Outcome(expect = FORBIDDEN, desc = "overwritten while it was read")
    @State
    public static class Modulo extends FullRing {
        public Modulo() {
            super(new RingBuffer<>(4, Index.MODULO, Separation.NONE, Idle.SPIN));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Actor
        public void producer(II_Result result) {
            ring.offer(new Item(4));
            result.r2 = Item.of(ring.poll());
            ring.offer(new Item(5));
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "the two oldest")
    @Outcome(expect = FORBIDDEN, desc = "overwritten while it was read")
    @State
    public static class Spmc extends FullRing {
        public Spmc() {
            super(new RingBufferSpmc<>(4, Idle.SPIN));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Actor
        public void producer(II_Result result) {
            ring.offer(new Item(4));
            result.r2 = Item.of(ring.poll());
            ring.offer(new Item(5));
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "the two oldest")
    @Outcome(expect = FORBIDDEN, desc = "overwritten while it was read")
    @State
    public static class Cached extends FullRing {
        public Cached() {
            super(new RingBufferCached<>(4, Idle.SPIN));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Actor
        public void producer(II_Result result) {
            ring.offer(new Item(4));
            result.r2 = Item.of(ring.poll());
            ring.offer(new Item(5));
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "the two oldest")
    @Outcome(expect = FORBIDDEN, desc = "overwritten while it was read")
    @State
    public static class ReadsLate extends FullRing {
        public ReadsLate() {
            super(new RingThatReadsLate<>(4));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Actor
        public void producer(II_Result result) {
            ring.offer(new Item(4));
            result.r2 = Item.of(ring.poll());
            ring.offer(new Item(5));
        }
    }
}
