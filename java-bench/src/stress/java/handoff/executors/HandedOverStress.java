package handoff.executors;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A producer that puts and a worker that takes, at an empty ring. */
@JCStressTest
@Outcome(
        id = {"0, 4", "4, 0"},
        expect = ACCEPTABLE,
        desc = "taken at once or later")
@Outcome(expect = FORBIDDEN, desc = "lost, repeated or half written")
@State
public class HandedOverStress extends RingStress {
    public HandedOverStress() {
        super(0);
    }

    @Actor
    public void producer() {
        offer(4);
    }

    @Actor
    public void worker(II_Result result) {
        result.r1 = poll();
    }

    @Arbiter
    public void rest(II_Result result) {
        result.r2 = poll();
    }
}
