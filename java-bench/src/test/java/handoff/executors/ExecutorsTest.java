package handoff.executors;

import static handoff.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.Points;
import handoff.machine.PlacementRule;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Carriers;
import handoff.mechanism.Handoff;
import handoff.mechanism.PolledExchange;
import handoff.work.Shots;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contracts of every executor: each task once, and pi. */
@Timeout(120)
class ExecutorsTest {
    private static final int TERMS = 100;

    static Stream<ExecutorsMechanism> mechanisms() {
        return Stream.of(ExecutorsMechanism.values())
                .filter(mechanism -> mechanism != ExecutorsMechanism.VIRTUAL_THREADS
                        || Runtime.version().feature() >= Carriers.SINCE);
    }

    static Stream<Arguments> cases() {
        return mechanisms()
                .flatMap(mechanism -> Stream.of(Reduction.values())
                        .filter(reduction -> reduction == Reduction.CAS
                                || mechanism.parameters().contains("reduction"))
                        .filter(reduction -> reduction != Reduction.PER_WORKER
                                || mechanism != ExecutorsMechanism.VIRTUAL_THREADS)
                        .map(reduction -> Arguments.of(mechanism, reduction)));
    }

    /** Returns the sum after a shot in which every task ran once. */
    private static double shoot(
            ExecutorsMechanism mechanism,
            int threads,
            int events,
            Reduction reduction,
            Function<ExecutorsSetup, Handoff> opening) {
        return Shots.onOwnThread(() -> {
            Trial trial = Points.trial(PlacementRule.COMPACT, roles(mechanism, threads));
            Shot shot = trial.shot(threads, events, PiJob.expected(events));
            PiJob job = new PiJob(
                    TERMS,
                    reduction,
                    shot.tallies(),
                    mechanism == ExecutorsMechanism.VIRTUAL_THREADS);
            Shots.shoot(trial, shot, opening.apply(setup(job, threads, Start.BEFORE, shot)));
            job.verify(events);
            return job.total();
        });
    }

    private static List<String> roles(ExecutorsMechanism mechanism, int threads) {
        return Points.set(
                        new ExecutorsBenchmark(), "mechanism=" + mechanism + " threads=" + threads)
                .roles();
    }

    private static ExecutorsSetup setup(PiJob job, int threads, Start start, Shot shot) {
        return new ExecutorsSetup(
                job,
                threads,
                16,
                Index.MODULO,
                Separation.NONE,
                Idle.PARK,
                start,
                "3.4.4",
                shot.team());
    }

    @ParameterizedTest
    @MethodSource("mechanisms")
    void everyMechanismReturnsPiWithEveryNumberOfThreads(ExecutorsMechanism mechanism) {
        // A JVM creates its carriers once.
        int fixed = mechanism == ExecutorsMechanism.VIRTUAL_THREADS ? 2 : 0;
        for (int n : fixed > 0 ? new int[] {fixed} : new int[] {1, 2, 3, 4, 5, 6, 7, 8}) {
            double sum = assertDoesNotThrow(
                    () -> shoot(mechanism, n, 3_000, Reduction.CAS, mechanism::open),
                    mechanism + " " + n);
            assertEquals(3.141589320, sum, 5e-9);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyReductionReturnsPiAgainAndAgain(ExecutorsMechanism mechanism, Reduction reduction) {
        for (int events : new int[] {1, 7, 500, 2_000}) {
            assertDoesNotThrow(() -> shoot(mechanism, 2, events, reduction, mechanism::open));
        }
    }

    /** Hands one task out twice in place of another. */
    private static final class Repeating extends PolledExchange<Task> {
        private final LinkedBlockingQueue<Task> queue = new LinkedBlockingQueue<>();
        private int offered;
        private Task previous;

        Repeating() {
            super(Idle.YIELD);
        }

        @Override
        public boolean offer(Task task) {
            queue.add(++offered == 40 ? previous : task);
            previous = task;
            return true;
        }

        @Override
        public Task poll() {
            return queue.poll();
        }
    }

    @Test
    void aTaskThatRunsTwiceInPlaceOfAnotherIsNoticed() {
        assertFails(
                "lost, repeated",
                () -> shoot(
                        ExecutorsMechanism.RING_BUFFER,
                        2,
                        100,
                        Reduction.CAS,
                        setup -> new ExchangeExecutor(setup, new Repeating())));
    }

    /** As published: the first tasks start the pool's threads. */
    @Test
    void aPoolMayStartItsThreadsWhileTheClockRuns() {
        List<String> roles = Shots.onOwnThread(() -> {
            Trial trial = Points.trial(
                    PlacementRule.UNPINNED, roles(ExecutorsMechanism.FIXED_THREAD_POOL, 3));
            Shot shot = trial.shot(3, 500, PiJob.expected(500));
            PiJob job = new PiJob(TERMS, Reduction.CAS, shot.tallies(), false);
            Handoff pool = new FixedThreadPool(setup(job, 3, Start.INSIDE, shot));
            shot.readyBeforeItsTeam();
            int before = shot.team().members().size();
            shot.start();
            pool.publish(500);
            shot.finish();
            trial.close(shot, pool::stop, () -> Findings.NONE);
            assertEquals(1, before);
            return shot.team().members().stream()
                    .map(member -> member.slot().role())
                    .toList();
        });
        assertEquals(List.of("producer", "worker-1", "worker-2", "worker-3"), roles);
    }

    private static String refusal(String words) {
        return Points.refusal(
                new ExecutorsBenchmark(),
                "mechanism=RING_BUFFER_SPMC threads=2 events=1000 terms=100 reduction=CAS"
                        + " capacity=16 index=MODULO placement=COMPACT collector=PARALLEL "
                        + words);
    }

    @Test
    void parametersThatContradictEachOtherAreRefused() {
        assertTrue(refusal("events=10000001").contains("at most 1000000000"));
        assertEquals(
                "capacity=17: RING_BUFFER_SPMC needs a power of two, such as 16 or 32.",
                refusal("capacity=17"));
        assertTrue(refusal("mechanism=RING_BUFFER index=MASK capacity=10")
                .contains("RING_BUFFER with index=MASK needs a power of two"));
        assertTrue(
                refusal("mechanism=VIRTUAL_THREADS reduction=PER_WORKER").contains("no workers"));
        if (Runtime.version().feature() < Carriers.SINCE) {
            assertTrue(refusal("mechanism=VIRTUAL_THREADS").contains("needs JDK 21"));
        }
    }
}
