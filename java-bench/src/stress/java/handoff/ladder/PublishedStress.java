package handoff.ladder;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A consumer that looks into an empty step while the producer puts two events. */
@JCStressTest
@Outcome(
        id = {"0, 12", "1, 2", "12, 0"},
        expect = ACCEPTABLE,
        desc = "each once, whole, in order")
@Outcome(expect = FORBIDDEN, desc = "lost, repeated, out of order or not yet written")
@State
public class PublishedStress extends StepStress {
    public PublishedStress() {
        super(0);
    }

    @Actor
    public void producer() {
        offer(1);
        offer(2);
    }

    @Actor
    public void consumer(II_Result result) {
        result.r1 = poll(2);
    }

    @Arbiter
    public void rest(II_Result result) {
        result.r2 = poll(2);
    }
}
