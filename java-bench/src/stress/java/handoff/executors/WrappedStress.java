package handoff.executors;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A producer that wraps around to the slot that a worker is reading. */
@JCStressTest
@Outcome(
        id = {"1, 2", "2, 1"},
        expect = ACCEPTABLE,
        desc = "the two oldest")
@Outcome(expect = FORBIDDEN, desc = "overwritten while it was read")
@State
public class WrappedStress extends RingStress {
    public WrappedStress() {
        super(3);
    }

    @Actor
    public void worker(II_Result result) {
        result.r1 = poll();
    }

    @Actor
    public void producer(II_Result result) {
        offer(4);
        result.r2 = poll();
        offer(5);
    }
}
