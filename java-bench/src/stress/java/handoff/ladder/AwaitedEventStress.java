package handoff.ladder;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;

/** A consumer that waits in a loop for the first event: it must notice it, however compiled. */
@JCStressTest(Mode.Termination)
@Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "it saw the event")
@Outcome(id = "STALE", expect = FORBIDDEN, desc = "it read the cursor only once")
@State
public class AwaitedEventStress extends StepStress {
    public AwaitedEventStress() {
        super(0);
    }

    @Actor
    public void consumer() {
        awaitEvent();
    }

    @Signal
    public void producer() {
        offer(1);
    }
}
