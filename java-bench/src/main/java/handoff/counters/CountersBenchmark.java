package handoff.counters;

import handoff.input.Range;
import handoff.machine.Plan;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Mechanism;
import handoff.study.StudyBenchmark;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * Measures what one thread pays to increment a number so that other threads may see it, and what
 * two threads pay that increment the same number.
 *
 * <pre>
 *   T1 ──┐
 *        ├──▶ count      each makes its share of the increments; none may be lost
 *   T2 ──┘
 * </pre>
 *
 * An event is one increment; two threads share the events evenly. The source does not say whether
 * its 500 million are the total of both threads.
 */
public class CountersBenchmark extends StudyBenchmark {
    @Param("PLAIN")
    public CountersMechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 2)
    public int threads;

    @Param("1000000")
    @Range(min = 2, max = 2_000_000_000L)
    public long events;

    private Increments increments;

    public CountersBenchmark() {
        super(Mechanism.parameters(CountersMechanism.values()));
    }

    @Override
    public List<String> roles() {
        return Plan.counted("thread", threads);
    }

    @Override
    protected Shot open(Trial from) {
        Shot opened = from.shot(threads, events, Increments.expected(events, threads));
        increments = new Increments(mechanism, opened.tallies(), opened.team());
        handoff = increments;
        return opened;
    }

    @Override
    protected void verify() {
        increments.verify();
    }
}
