package handoff.ring;

import handoff.mechanism.Handoff;
import java.util.concurrent.CountDownLatch;

/** Work that continues by itself once it is published; the starter sleeps until it is done. */
interface RingHandoff extends Handoff {
    /** Returns a latch that opens when all events are done. */
    CountDownLatch done();

    /** Throws IllegalStateException when the results are wrong; call after the shot. */
    void verify();
}
