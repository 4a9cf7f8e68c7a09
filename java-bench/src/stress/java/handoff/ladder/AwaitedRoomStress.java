package handoff.ladder;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;

/** A producer that waits in a loop for room: it must notice it, however compiled. */
@JCStressTest(Mode.Termination)
@Outcome(id = "TERMINATED", expect = ACCEPTABLE, desc = "it saw the free slot")
@Outcome(id = "STALE", expect = FORBIDDEN, desc = "it read the cursor only once")
@State
public class AwaitedRoomStress extends StepStress {
    public AwaitedRoomStress() {
        super(2);
    }

    @Actor
    public void producer() {
        awaitRoom(3);
    }

    @Signal
    public void consumer() {
        poll(1);
    }
}
