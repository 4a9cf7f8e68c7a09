package handoff.counters;

import handoff.machine.Placement;
import handoff.measure.Collector;
import handoff.measure.Range;
import handoff.measure.Shot;
import handoff.measure.Trial;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does one thread pay to increment a number in a way that other threads may see, and what do two pay that do?
 *
 * <pre>
 *   T1 ──┐
 *        ├──▶ count      each does its share of the increments; the count must come out whole
 *   T2 ──┘
 * </pre>
 *
 * An event is one increment; two threads share the events evenly. The source does not say whether its 500 million were of both
 * threads together.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public class Counters {
    @Param("PLAIN")
    public Mechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 2)
    public int threads;

    @Param("1000000")
    @Range(min = 2, max = 2_000_000_000L)
    public long events;

    @Param("COMPACT")
    public Placement placement;

    @Param("PARALLEL")
    public Collector collector;

    private Trial trial;
    private Shot shot;
    private Increments increments;

    @Setup(Level.Trial)
    public void prepare() {
        collector.verify();
        trial = new Trial(placement, Rules.roles(threads));
    }

    @Setup(Level.Iteration)
    public void muster() throws InterruptedException {
        shot = trial.shot(threads, events, Increments.expected(events, threads));
        increments = new Increments(mechanism, shot.tallies(), shot.crew());
        shot.ready();
    }

    @Benchmark
    public void increment() throws InterruptedException {
        shot.start();
        increments.publish(events);
        shot.finish();
    }

    @TearDown(Level.Iteration)
    public void dismiss() throws InterruptedException {
        trial.close(shot, increments::stop);
        increments.verify();
    }

    @TearDown(Level.Trial)
    public void report() throws IOException {
        trial.write();
    }
}
