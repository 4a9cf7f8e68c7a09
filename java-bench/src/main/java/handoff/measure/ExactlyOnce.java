package handoff.measure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The end of every shot, the same for all mechanisms: after publishing, the producer sleeps in
 * short parks until the consumers' counts add up. There is no poison pill and no draining, because
 * both show up in CPU usage.
 */
public final class ExactlyOnce {
    /** Added, with the kernel's timer slack, to a shot of 50 ms or more: a few thousandths. */
    private static final long PARK_NS = 50_000;

    /** Interval at which a sleeping caller looks for failed threads. */
    private static final int LOOK_MS = 50;

    private final List<Tally> tallies;
    private final Expected expected;
    private final Duration timeout;

    /**
     * @param timeout time without progress after which the shot fails
     */
    public ExactlyOnce(List<Tally> tallies, Expected expected, Duration timeout) {
        this.tallies = tallies;
        this.expected = expected;
        this.timeout = timeout;
    }

    /**
     * Returns when all expected events have been consumed.
     *
     * @param failure supplies a consumer's failure, or null
     * @throws IllegalStateException when events are lost, or a consumer failed
     */
    public void await(Supplier<Throwable> failure) throws InterruptedException {
        await(failure, () -> LockSupport.parkNanos(PARK_NS));
    }

    /**
     * Does the same for a caller that the last consumer wakes: polling would take time from the
     * workers.
     */
    public void await(Supplier<Throwable> failure, CountDownLatch done)
            throws InterruptedException {
        await(failure, () -> done.await(LOOK_MS, TimeUnit.MILLISECONDS));
    }

    private interface Rest {
        void rest() throws InterruptedException;
    }

    private void await(Supplier<Throwable> failure, Rest between) throws InterruptedException {
        long events = expected.consumed();
        long seen = consumed();
        long lastMove = System.nanoTime();
        while (seen < events && failure.get() == null) {
            between.rest();
            if (Thread.interrupted()) {
                throw new InterruptedException(
                        "interrupted after " + seen + " of " + events + " events");
            }
            long now = consumed();
            if (now != seen) {
                seen = now;
                lastMove = System.nanoTime();
            } else if (System.nanoTime() - lastMove > timeout.toNanos()) {
                throw new IllegalStateException(
                        "Only %s of %s events were consumed; no progress for %s s."
                                .formatted(seen, events, timeout.toSeconds()));
            }
        }
    }

    /**
     * @throws IllegalStateException unless counts and checksums are the expected ones
     */
    public void verify() {
        expected.verify(tallies);
    }

    public long consumed() {
        long sum = 0;
        for (Tally tally : tallies) {
            sum += tally.count();
        }
        return sum;
    }

    public long checksum() {
        return tallies.stream().mapToLong(Tally::checksum).sum();
    }
}
