package handoff.ladder;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A producer that wraps around to the slots that the consumer is reading. */
@JCStressTest
@Outcome(
        id = {"12, 0, 0", "12, 1, 3", "12, 2, 34", "123, 1, 0", "123, 2, 4", "1234, 2, 0"},
        expect = ACCEPTABLE,
        desc = "each once, in order")
@Outcome(expect = FORBIDDEN, desc = "lost, repeated, or overwritten while it was read")
@State
public class LappedStress extends StepStress {
    public LappedStress() {
        super(2);
    }

    @Actor
    public void consumer(III_Result result) {
        result.r1 = poll(2);
    }

    /** Puts 3 when there is room, then 4; only what was put counts up. */
    @Actor
    public void producer(III_Result result) {
        int put = offer(3);
        result.r2 = put + (put == 0 ? 0 : offer(4));
    }

    @Arbiter
    public void rest(III_Result result) {
        result.r3 = poll(2);
    }
}
