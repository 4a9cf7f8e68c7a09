package handoff.hops;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.input.BadInput;
import handoff.machine.PlacementRule;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Line;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.work.Shots;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HopsTest {
    /** Measures unpinned threads, which any machine can run. */
    private static Findings matrix(List<CacheLine.Pair> pairs, int threads, long hops) {
        return Shots.onOwnThread(() -> {
            Trial trial = Points.trial(PlacementRule.UNPINNED, Plan.counted("thread", threads));
            Shot shot = trial.shot(
                    threads, hops * pairs.size(), CacheLine.expected(pairs, threads, hops));
            CacheLine line = new CacheLine(pairs, shot.tallies(), shot.team());
            Shots.shoot(trial, shot, line);
            return line.findings();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void everyPairOfThreadsIsMeasured(int threads) {
        Double[][] hop =
                matrix(CacheLine.pairs(threads), threads, 101).matrices().get("hop");
        assertEquals(threads, hop.length);
        for (int i = 0; i < threads; i++) {
            assertNull(hop[i][i]);
            for (int j = 0; j < threads; j++) {
                assertEquals(hop[i][j], hop[j][i]);
                assertTrue(i == j || hop[i][j] > 0);
            }
        }
    }

    @Test
    void aPairOutsideTheSampleStaysEmpty() {
        List<CacheLine.Pair> sample = List.of(new CacheLine.Pair(0, 2), new CacheLine.Pair(1, 2));
        Double[][] hop = matrix(sample, 4, 100).matrices().get("hop");
        assertTrue(hop[0][2] > 0 && hop[2][0] > 0 && hop[1][2] > 0);
        assertNull(hop[0][1]);
        assertNull(hop[3][0]);
    }

    @Test
    void manyThreadsHaveTheSameSampleOfPairsInEveryShot() {
        List<CacheLine.Pair> sample = CacheLine.pairs(512);
        assertEquals(CacheLine.MOST_PAIRS, Set.copyOf(sample).size());
        assertEquals(CacheLine.pairs(512), sample);
        assertTrue(sample.stream().allMatch(pair -> pair.first() < pair.second()));
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "45, 990", "46, 1000"})
    void eachPairIsExpectedToMakeAllHops(int threads, int pairs) {
        Expected expected = CacheLine.expected(CacheLine.pairs(threads), threads, 1_001);
        assertEquals(
                pairs * 1_001L,
                expected.counts().stream().mapToLong(Long::longValue).sum());
    }

    @Test
    void everyPrimitiveIsMeasured() {
        long events = 20_000;
        Map<String, Double> nanosByName = Shots.onOwnThread(() -> {
            Trial trial = Points.trial(PlacementRule.UNPINNED, Plan.counted("thread", 2));
            Shot shot = trial.shot(2, events, Primitives.expected(events));
            Primitives primitives = new Primitives(shot.tallies(), shot.team());
            Shots.shoot(trial, shot, primitives);
            return primitives.findings().measures();
        });
        assertEquals(Set.copyOf(Primitives.MEASURES), nanosByName.keySet());
        assertTrue(nanosByName.values().stream().allMatch(nanos -> nanos > 0));
    }

    @Test
    void aLineMakesTheRequestedHops() {
        Line line = new Line();
        CompletableFuture<Double> odd = CompletableFuture.supplyAsync(() -> line.rally(100, false));
        double nanos = line.rally(100, true);
        assertTrue(nanos > 0 && odd.join() > 0);
        CompletableFuture<Double> again =
                CompletableFuture.supplyAsync(() -> line.rally(100, false));
        assertTrue(line.rally(100, true) > 0 && again.join() > 0);
    }

    private static HopsBenchmark point(int threads, long events) {
        return Points.set(
                new HopsBenchmark(),
                "mechanism=CACHE_LINE placement=COMPACT collector=SERIAL threads=" + threads
                        + " events=" + events);
    }

    @Test
    void threadsThatShareACpuAreRefused() {
        int cpus = Topology.here().cpus().size();
        assertThrows(
                BadInput.NotOnThisMachine.class,
                () -> point(cpus + 1, 1_000_000_000).plan(Topology.here()));
    }

    @Test
    void fewHopsAreNoMistakeWithManyThreads() {
        assertDoesNotThrow(point(512, 1_000)::check);
    }
}
