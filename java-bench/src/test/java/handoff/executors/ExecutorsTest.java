package handoff.executors;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handoff.input.BadInput;
import handoff.machine.PlacementRule;
import handoff.machine.Topology;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Carriers;
import handoff.mechanism.Handoff;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every executor owes: each task once, and pi. */
@Timeout(120)
class ExecutorsTest {
    private static final int TERMS = 100;

    static Stream<ExecutorsMechanism> here() {
        return Stream.of(ExecutorsMechanism.values())
                .filter(mechanism -> mechanism != ExecutorsMechanism.VIRTUAL_THREADS
                        || Runtime.version().feature() >= Carriers.SINCE);
    }

    static Stream<Arguments> cases() {
        return here().flatMap(mechanism -> Stream.of(Reduction.values())
                .filter(reduction ->
                        reduction == Reduction.CAS || mechanism.parameters().contains("reduction"))
                .filter(reduction -> reduction != Reduction.PER_WORKER
                        || mechanism != ExecutorsMechanism.VIRTUAL_THREADS)
                .map(reduction -> Arguments.of(mechanism, reduction)));
    }

    /** The sum after a shot in which every task ran once. */
    private static double shoot(
            ExecutorsMechanism mechanism,
            int threads,
            int events,
            Reduction reduction,
            Function<ExecutorsSetup, Handoff> opening) {
        // A thread of its own: it is pinned, and so would be the test runner's later threads.
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                Trial trial = new Trial(
                                        PlacementRule.COMPACT,
                                        ExecutorsRules.roles(mechanism, threads));
                                Shot shot = trial.shot(threads, events, PiJob.expected(events));
                                PiJob job = new PiJob(
                                        TERMS,
                                        reduction,
                                        shot.tallies(),
                                        mechanism == ExecutorsMechanism.VIRTUAL_THREADS);
                                Handoff handoff = opening.apply(new ExecutorsSetup(
                                        job,
                                        threads,
                                        16,
                                        Index.MODULO,
                                        Separation.NONE,
                                        Idle.PARK,
                                        Start.BEFORE,
                                        shot.team()));
                                shot.ready();
                                shot.start();
                                handoff.publish(events);
                                shot.finish();
                                trial.close(shot, handoff::stop);
                                job.verify(events);
                                return job.total();
                            } catch (InterruptedException interrupted) {
                                throw new IllegalStateException(interrupted);
                            }
                        },
                        task -> new Thread(task).start())
                .join();
    }

    @ParameterizedTest
    @MethodSource("here")
    void everyMechanismReturnsPiWithEveryNumberOfThreads(ExecutorsMechanism mechanism) {
        // A JVM makes its carriers once.
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

    /**
     * An exchange that loses one task, and one that hands one out twice in the place of another.
     */
    private static final class Faulty extends PolledExchange<Task> {
        private final LinkedBlockingQueue<Task> queue = new LinkedBlockingQueue<>();
        private final boolean repeats;
        private int offered;
        private Task former;

        Faulty(boolean repeats) {
            super(Idle.YIELD);
            this.repeats = repeats;
        }

        @Override
        boolean offer(Task task) {
            boolean faulty = ++offered == 40;
            if (!faulty || repeats) {
                queue.add(faulty ? former : task);
            }
            former = task;
            return true;
        }

        @Override
        Task poll() {
            return queue.poll();
        }
    }

    @Test
    void aTaskThatRunsTwiceInPlaceOfAnotherIsNoticed() {
        RuntimeException noticed = assertThrows(
                RuntimeException.class,
                () -> shoot(
                        ExecutorsMechanism.RING_BUFFER,
                        2,
                        100,
                        Reduction.CAS,
                        setup -> new ExchangeExecutor(setup, new Faulty(true))));
        assertTrue(noticed.getMessage().contains("lost, repeated"), noticed.getMessage());
    }

    /** As published: the pool's threads come with its first tasks. */
    @Test
    void aPoolMayStartItsThreadsInsideTheClock() {
        List<String> roles = CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                Trial trial = new Trial(
                                        PlacementRule.UNPINNED,
                                        ExecutorsRules.roles(
                                                ExecutorsMechanism.FIXED_THREAD_POOL, 3));
                                Shot shot = trial.shot(3, 500, PiJob.expected(500));
                                PiJob job = new PiJob(TERMS, Reduction.CAS, shot.tallies(), false);
                                Handoff pool = new FixedThreadPool(new ExecutorsSetup(
                                        job,
                                        3,
                                        16,
                                        Index.MODULO,
                                        Separation.NONE,
                                        Idle.PARK,
                                        Start.INSIDE,
                                        shot.team()));
                                shot.readyBeforeItsTeam();
                                int before = shot.team().members().size();
                                shot.start();
                                pool.publish(500);
                                shot.finish();
                                trial.close(shot, pool::stop);
                                assertEquals(1, before);
                                return shot.team().members().stream()
                                        .map(member -> member.slot().role())
                                        .toList();
                            } catch (InterruptedException interrupted) {
                                throw new IllegalStateException(interrupted);
                            }
                        },
                        task -> new Thread(task).start())
                .join();
        assertEquals(List.of("producer", "worker-1", "worker-2", "worker-3"), roles);
    }

    private static String refusal(Map<String, String> given) {
        Map<String, String> point = new HashMap<>(Map.of(
                "mechanism",
                "RING_BUFFER_SPMC",
                "threads",
                "2",
                "events",
                "1000",
                "terms",
                "100",
                "reduction",
                "CAS",
                "capacity",
                "16",
                "index",
                "MODULO",
                "placement",
                "COMPACT",
                "collector",
                "PARALLEL"));
        point.putAll(given);
        return assertThrows(BadInput.class, () -> new ExecutorsRules()
                        .plan(point, Topology.here()))
                .getMessage();
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        assertTrue(refusal(Map.of("events", "10000001")).contains("at most 1000000000 terms"));
        assertTrue(refusal(Map.of("capacity", "17")).contains("power of two"));
        assertTrue(refusal(Map.of("mechanism", "RING_BUFFER", "index", "MASK", "capacity", "10"))
                .contains("power of two"));
        assertTrue(refusal(Map.of("mechanism", "VIRTUAL_THREADS", "reduction", "PER_WORKER"))
                .contains("no workers"));
        if (Runtime.version().feature() < Carriers.SINCE) {
            assertTrue(refusal(Map.of("mechanism", "VIRTUAL_THREADS")).contains("needs JDK 21"));
        }
    }

    /** The Disruptors' collector is a thread more. */
    @ParameterizedTest
    @EnumSource(ExecutorsMechanism.class)
    void theThreadsUsedAreCounted(ExecutorsMechanism mechanism) {
        int more = mechanism.name().startsWith("DISRUPTOR") ? 2 : 1;
        assertEquals(4 + more, ExecutorsRules.roles(mechanism, 4).size());
    }
}
