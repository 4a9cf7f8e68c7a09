package handoff.executors;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A producer that puts and a worker that takes, with nothing else in between. */
public class HandedOverStress {
    @JCStressTest
    @Outcome(
            id = {"0, 4", "4, 0"},
            expect = ACCEPTABLE,
            desc = "taken at once or later")
    @Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
    @State
    public static class Modulo {
        private final PolledExchange<Item> ring =
                new RingBuffer<>(4, Index.MODULO, Separation.NONE, Idle.SPIN);

        @Actor
        public void producer() {
            ring.offer(new Item(4));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = Item.of(ring.poll());
        }
    }

    @JCStressTest
    @Outcome(
            id = {"0, 4", "4, 0"},
            expect = ACCEPTABLE,
            desc = "taken at once or later")
    @Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
    @State
    public static class Spmc {
        private final PolledExchange<Item> ring = new RingBufferSpmc<>(4, Idle.SPIN);

        @Actor
        public void producer() {
            ring.offer(new Item(4));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = Item.of(ring.poll());
        }
    }

    @JCStressTest
    @Outcome(
            id = {"0, 4", "4, 0"},
            expect = ACCEPTABLE,
            desc = "taken at once or later")
    @Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
    @State
    public static class Cached {
        private final PolledExchange<Item> ring = new RingBufferCached<>(4, Idle.SPIN);

        @Actor
        public void producer() {
            ring.offer(new Item(4));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = Item.of(ring.poll());
        }

        @Arbiter
        public void rest(II_Result result) {
            result.r2 = Item.of(ring.poll());
        }
    }
}
