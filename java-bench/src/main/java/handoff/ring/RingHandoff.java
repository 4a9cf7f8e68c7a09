package handoff.ring;

import handoff.mechanism.Handoff;
import java.util.concurrent.CountDownLatch;

/** Work that goes on by itself once it is published: the starter sleeps until it is done. */
interface RingHandoff extends Handoff {
    /** Counted down to nothing when all events are over. */
    CountDownLatch done();

    /** Call when the shot is over. @throws IllegalStateException when its results are wrong */
    void verify();
}
