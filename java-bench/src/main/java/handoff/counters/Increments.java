package handoff.counters;

import handoff.measure.Expected;
import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import handoff.mechanism.Handoff;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** One shot: every thread makes its share of the increments of one cell. */
final class Increments implements Handoff {
    private final CountersMechanism mechanism;
    private final Cell cell = new Cell();
    private final List<Tally> tallies;
    private final CountDownLatch start = new CountDownLatch(1);
    private volatile long all;

    /**
     * @param tallies one per thread, the caller's first
     */
    Increments(CountersMechanism mechanism, List<Tally> tallies, ThreadTeam team) {
        this.mechanism = mechanism;
        this.tallies = tallies;
        for (int i = 1; i < tallies.size(); i++) {
            int which = i;
            team.start(() -> {
                start.await();
                increment(which);
            });
        }
    }

    @Override
    public void publish(long events) {
        all = events;
        start.countDown();
        increment(0);
    }

    private void increment(int which) {
        long share = share(all, tallies.size(), which);
        mechanism.increment(cell, share);
        tallies.get(which).addAll(share, 0);
    }

    /** Returns the share of a thread; the first thread also takes the remainder. */
    static long share(long events, int threads, int which) {
        return events / threads + (which == 0 ? events % threads : 0);
    }

    static Expected expected(long events, int threads) {
        List<Long> counts = IntStream.range(0, threads)
                .mapToObj(which -> share(events, threads, which))
                .toList();
        return new Expected(counts, Collections.nCopies(threads, 0L));
    }

    /**
     * @throws IllegalStateException when an increment was lost
     */
    void verify() {
        if (cell.get() != all) {
            throw new IllegalStateException(
                    "The count is " + cell.get() + " after " + all + " increments.");
        }
    }
}
