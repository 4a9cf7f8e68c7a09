package handoff.topologies;

import handoff.measure.ThreadTeam;
import handoff.mechanism.Handoff;
import java.util.concurrent.CountDownLatch;

/**
 * Several producers: the caller, and threads of the team, which it wakes at the start; they take
 * some tens of microseconds to wake.
 */
final class Producers implements Handoff {
    static final int NUMBER = 3;

    /**
     * Publishes the numbers from 0 to {@code events} - 1, as the producer {@code which}, counted
     * from 0.
     */
    interface Share {
        void publish(int which, long events) throws InterruptedException;
    }

    private final CountDownLatch start = new CountDownLatch(1);
    private final Share share;
    private long eachEvents;

    /** Takes the team's next threads, so create it before the consumers. */
    Producers(ThreadTeam team, Share share) {
        this.share = share;
        for (int i = 1; i < NUMBER; i++) {
            int which = i;
            team.start(() -> {
                start.await();
                share.publish(which, eachEvents);
            });
        }
    }

    /**
     * Publishes a third per producer, the caller also the remainder; returns when the caller has
     * published its share.
     */
    @Override
    public void publish(long events) throws InterruptedException {
        eachEvents = events / NUMBER;
        start.countDown();
        share.publish(0, first(events));
    }

    static long first(long events) {
        return events - (NUMBER - 1) * (events / NUMBER);
    }
}
