package handoff.executors;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two workers that take from a full ring at the same time. */
@JCStressTest
@Outcome(
        id = {"1, 2", "2, 1"},
        expect = ACCEPTABLE,
        desc = "each takes one")
@Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
@State
public class TwoWorkersStress extends RingStress {
    public TwoWorkersStress() {
        super(3);
    }

    @Actor
    public void one(II_Result result) {
        result.r1 = poll();
    }

    @Actor
    public void other(II_Result result) {
        result.r2 = poll();
    }
}
