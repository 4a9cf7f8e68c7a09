package handoff.hops;

import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Line;
import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import handoff.mechanism.Handoff;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * One shot: one pair of threads after the other passes a line to and fro, while all other threads
 * sleep.
 *
 * <pre>
 *   thread 1 ◀──────▶ thread 2      1 ◀─▶ 3      1 ◀─▶ 4      2 ◀─▶ 3      ...
 *            hops
 * </pre>
 */
final class CacheLine implements Handoff {
    static final List<String> MEASURES = List.of("hop_min", "hop_p50", "hop_max");

    /**
     * Most pairs that a shot measures. At 2,000 hops of 250 ns, and 100 µs to wake both threads, it
     * takes 0.6 s, and a fork of five shots after eight of warm-up less than 10 s.
     */
    static final int MOST_PAIRS = 1_000;

    private final List<Pair> pairs;
    private final List<Tally> tallies;
    private final Double[][] nanos;
    private final List<Semaphore> turns = new ArrayList<>();
    private final Semaphore done = new Semaphore(0);
    private volatile Rally rally;

    /** Two threads by number, the lower one first. */
    record Pair(int first, int second) {}

    /** A pair, the line between them, and its number of hops. */
    private record Rally(Pair pair, Line line, long hops) {}

    /**
     * @param pairs the pairs to measure, in this order
     * @param tallies one per thread, the caller's first
     */
    CacheLine(List<Pair> pairs, List<Tally> tallies, ThreadTeam team) {
        this.pairs = pairs;
        this.tallies = tallies;
        nanos = new Double[tallies.size()][tallies.size()];
        for (int i = 0; i < tallies.size(); i++) {
            turns.add(new Semaphore(0));
            if (i > 0) {
                int which = i;
                team.start(() -> serve(which));
            }
        }
    }

    /**
     * Returns all pairs of threads, or {@link #MOST_PAIRS} of them at random. The number of threads
     * alone determines the sample, so that all shots and forks of a point measure the same pairs.
     */
    static List<Pair> pairs(int threads) {
        List<Pair> all = new ArrayList<>();
        for (int first = 0; first < threads; first++) {
            for (int second = first + 1; second < threads; second++) {
                all.add(new Pair(first, second));
            }
        }
        if (all.size() <= MOST_PAIRS) {
            return all;
        }
        return new Random(threads)
                .ints(0, all.size())
                .distinct()
                .limit(MOST_PAIRS)
                .sorted()
                .mapToObj(all::get)
                .toList();
    }

    private void serve(int which) throws InterruptedException {
        while (true) {
            turns.get(which).acquire();
            rally(which);
            done.release();
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        long hops = events / pairs.size();
        for (Pair pair : pairs) {
            rally = new Rally(pair, new Line(), hops);
            turns.get(pair.second).release();
            if (pair.first == 0) {
                rally(0);
                done.acquire();
            } else {
                turns.get(pair.first).release();
                done.acquire(2);
            }
        }
    }

    private void rally(int which) {
        Rally now = rally;
        Pair pair = now.pair;
        boolean leads = which == pair.first;
        double nanosPerHop = now.line.rally(now.hops, leads);
        if (leads) {
            nanos[pair.first][pair.second] = nanosPerHop;
            nanos[pair.second][pair.first] = nanosPerHop;
        }
        tallies.get(which).addAll(turns(now.hops, leads), 0);
    }

    private static long turns(long hops, boolean leads) {
        return leads ? (hops + 1) / 2 : hops / 2;
    }

    /** Returns the turns of each thread when every pair makes {@code hops} hops. */
    static Expected expected(List<Pair> pairs, int threads, long hops) {
        Long[] counts = new Long[threads];
        Arrays.fill(counts, 0L);
        for (Pair pair : pairs) {
            counts[pair.first] += turns(hops, true);
            counts[pair.second] += turns(hops, false);
        }
        return new Expected(List.of(counts), Collections.nCopies(threads, 0L));
    }

    /**
     * Returns the matrix in nanoseconds per hop, in the threads' order; null for pairs that are not
     * measured.
     */
    Findings findings() {
        double[] sorted = Arrays.stream(nanos)
                .flatMap(Arrays::stream)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return new Findings(
                Map.of(
                        "hop_min", sorted[0],
                        "hop_p50", sorted[sorted.length / 2],
                        "hop_max", sorted[sorted.length - 1]),
                null,
                Map.of("hop", nanos));
    }
}
