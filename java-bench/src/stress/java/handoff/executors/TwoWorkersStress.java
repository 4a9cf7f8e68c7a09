package handoff.executors;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two workers that take from a full ring at the same time. */
public class TwoWorkersStress {
    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "each takes one")
    @Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
    @State
    public static class Modulo extends FullRing {
        public Modulo() {
            super(new RingBuffer<>(4, Index.MODULO, Separation.NONE, Idle.SPIN));
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = Item.of(ring.poll());
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "each takes one")
    @Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
    @State
    public static class Spmc extends FullRing {
        public Spmc() {
            super(new RingBufferSpmc<>(4, Idle.SPIN));
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = Item.of(ring.poll());
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "each takes one")
    @Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
    @State
    public static class Cached extends FullRing {
        public Cached() {
            super(new RingBufferCached<>(4, Idle.SPIN));
        }

        @Actor
        public void one(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = Item.of(ring.poll());
        }
    }
}
