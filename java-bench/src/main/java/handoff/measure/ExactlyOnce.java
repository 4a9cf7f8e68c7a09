package handoff.measure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The end of every shot, the same for all mechanisms: the producer, done publishing, sleeps in
 * short parks until the consumers' counts add up. No poison pill, no draining: both show up in CPU
 * usage.
 */
public final class ExactlyOnce {
    /**
     * Adds about this much, and the kernel's timer slack, to a shot of 50 ms or more: some
     * thousandths at most.
     */
    private static final long PARK_NS = 50_000;

    /** How often a sleeper looks whether a thread failed. */
    private static final int LOOK_MS = 50;

    private final List<Tally> tallies;
    private final Expected expected;
    private final Duration timeout;

    /**
     * @param timeout how long nothing may move before the shot fails
     */
    public ExactlyOnce(List<Tally> tallies, Expected expected, Duration timeout) {
        this.tallies = tallies;
        this.expected = expected;
        this.timeout = timeout;
    }

    /**
     * Returns when all that is expected has been consumed.
     *
     * @param failure a consumer's failure, or null while there is none
     * @throws IllegalStateException when events are lost, or a consumer failed
     */
    public void await(Supplier<Throwable> failure) throws InterruptedException {
        await(failure, () -> LockSupport.parkNanos(PARK_NS));
    }

    /**
     * The same for a caller whom the last consumer wakes: looking again and again would take time
     * from those who work.
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
                throw new IllegalStateException("Only "
                        + seen
                        + " of "
                        + events
                        + " events were consumed; nothing moved for "
                        + timeout.toSeconds()
                        + " s.");
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
