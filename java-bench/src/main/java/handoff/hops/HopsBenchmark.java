package handoff.hops;

import handoff.input.BadInput;
import handoff.input.Range;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Mechanism;
import handoff.study.StudyBenchmark;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Param;

/**
 * Measures the cost of handing a cache line to another core, for every pair of cores, and the cost
 * of the primitives of a hand-over: not from a source, but the components of every other study's
 * numbers.
 *
 * <p>An event is one hop of a line, or one run of a fast primitive; slow ones run less often. The
 * parameter {@link #events} is the number of hops of each pair.
 */
public class HopsBenchmark extends StudyBenchmark {
    @Param("CACHE_LINE")
    public HopsMechanism mechanism;

    @Param("2")
    @Range(min = 2, max = 1024)
    public int threads;

    /** At least enough to time many even when a thread arrives late. */
    @Param("1000000")
    @Range(min = 1000, max = 10_000_000_000L)
    public long events;

    private List<CacheLine.Pair> pairs;
    private Supplier<Findings> results;

    public HopsBenchmark() {
        super(Mechanism.parameters(HopsMechanism.values()));
    }

    @Override
    public List<String> measures() {
        return Mechanism.all(CacheLine.MEASURES, Primitives.MEASURES);
    }

    @Override
    public List<String> roles() {
        return Plan.counted("thread", mechanism == HopsMechanism.CACHE_LINE ? threads : 2);
    }

    /** Refuses threads that share a CPU: they would wait for the scheduler, not for each other. */
    @Override
    public Plan plan(Topology machine) {
        Plan plan = super.plan(machine);
        long cpus = plan.threads().stream()
                .map(Plan.Slot::cpu)
                .filter(Objects::nonNull)
                .distinct()
                .count();
        if (cpus < plan.threads().size()) {
            throw new BadInput.NotOnThisMachine(
                    "A hop is between two CPUs: %s threads need a CPU each, got %s."
                            .formatted(plan.threads().size(), cpus));
        }
        return plan;
    }

    @Override
    protected void prepare() {
        pairs = CacheLine.pairs(threads);
    }

    @Override
    protected Shot open(Trial from) {
        if (mechanism == HopsMechanism.CACHE_LINE) {
            Shot opened = from.shot(
                    threads, events * pairs.size(), CacheLine.expected(pairs, threads, events));
            CacheLine line = new CacheLine(pairs, opened.tallies(), opened.team());
            handoff = line;
            results = line::findings;
            return opened;
        }
        Shot opened = from.shot(2, events, Primitives.expected(events));
        Primitives primitives = new Primitives(opened.tallies(), opened.team());
        handoff = primitives;
        results = primitives::findings;
        return opened;
    }

    @Override
    protected Findings findings() {
        return results.get();
    }
}
