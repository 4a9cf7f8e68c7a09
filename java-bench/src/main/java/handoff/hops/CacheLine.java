package handoff.hops;

import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Line;
import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import handoff.mechanism.Handoff;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;

/**
 * One shot: every pair of threads passes a line to and fro, one pair after the other, while all
 * other threads sleep.
 *
 * <pre>
 *   thread 1 ◀──────▶ thread 2      1 ◀─▶ 3      1 ◀─▶ 4      2 ◀─▶ 3      ...
 *            hops
 * </pre>
 */
final class CacheLine implements Handoff {
    static final List<String> MEASURES = List.of("hop_min", "hop_p50", "hop_max");

    /** Hops per pair, at least: enough to time many even when a thread arrives late. */
    static final int LEAST_HOPS = 1_000;

    private final List<Tally> tallies;
    private final Double[][] nanos;
    private final List<Semaphore> turns = new ArrayList<>();
    private final Semaphore done = new Semaphore(0);
    private volatile Pair pair;

    /** Two threads by number, the line between them, and its number of hops. */
    private record Pair(int first, int second, Line line, long hops) {}

    /**
     * @param tallies one per thread, the caller's first
     */
    CacheLine(List<Tally> tallies, ThreadTeam team) {
        this.tallies = tallies;
        nanos = new Double[tallies.size()][tallies.size()];
        for (int i = 0; i < tallies.size(); i++) {
            turns.add(new Semaphore(0));
            if (i > 0) {
                int which = i;
                team.newThread(() -> serve(which, team)).start();
            }
        }
    }

    private void serve(int which, ThreadTeam team) {
        team.ready();
        try {
            while (true) {
                turns.get(which).acquire();
                rally(which);
                done.release();
            }
        } catch (InterruptedException shutDown) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        int threads = tallies.size();
        int pairs = threads * (threads - 1) / 2;
        int number = 0;
        for (int first = 0; first < threads; first++) {
            for (int second = first + 1; second < threads; second++) {
                pair = new Pair(first, second, new Line(), share(events, pairs, number++));
                turns.get(second).release();
                if (first == 0) {
                    rally(0);
                    done.acquire();
                } else {
                    turns.get(first).release();
                    done.acquire(2);
                }
            }
        }
    }

    private void rally(int which) {
        Pair now = pair;
        boolean leads = which == now.first;
        double nanosPerHop = now.line.rally(now.hops, leads);
        if (leads) {
            nanos[now.first][now.second] = nanosPerHop;
            nanos[now.second][now.first] = nanosPerHop;
        }
        tallies.get(which).addAll(turns(now.hops, leads), 0);
    }

    private static long turns(long hops, boolean leads) {
        return leads ? (hops + 1) / 2 : hops / 2;
    }

    /** Returns the hops of a pair; the first pair also takes the remainder. */
    private static long share(long events, int pairs, int number) {
        return events / pairs + (number == 0 ? events % pairs : 0);
    }

    static Expected expected(long events, int threads) {
        Long[] counts = new Long[threads];
        Arrays.fill(counts, 0L);
        int pairs = threads * (threads - 1) / 2;
        int number = 0;
        for (int first = 0; first < threads; first++) {
            for (int second = first + 1; second < threads; second++) {
                long hops = share(events, pairs, number++);
                counts[first] += turns(hops, true);
                counts[second] += turns(hops, false);
            }
        }
        Long[] checksums = new Long[threads];
        Arrays.fill(checksums, 0L);
        return new Expected(List.of(counts), List.of(checksums));
    }

    /** Returns the matrix in nanoseconds per hop, in the threads' order, with an empty diagonal. */
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
