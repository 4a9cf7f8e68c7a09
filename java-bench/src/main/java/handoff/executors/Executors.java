package handoff.executors;

import handoff.machine.Placement;
import handoff.measure.Collector;
import handoff.measure.Expected;
import handoff.measure.Range;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Handoff;
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
 * How long do n workers take for a million tasks of some hundred nanoseconds, and what of it is the way to hand them out?
 *
 * <pre>
 *                                 ┌──▶ W1 ──┐
 *   P ── a new task, submitted ──▶├──▶ W2   ├──▶ one sum: shared, in cells, by worker, or on a thread of its own
 *                                 └──▶ Wn ──┘
 * </pre>
 *
 * An event is a task: a slice of the series for pi. Every mechanism runs tasks of the same class, its threads are started and pinned
 * before the clock, and the end is awaited in the same way. The other parameters' defaults are what the post's measured code had.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public class Executors {
    @Param("FIXED_THREAD_POOL")
    public Mechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 1024)
    public int threads;

    @Param("1000000")
    @Range(min = 1, max = 1_000_000_000)
    public long events;

    @Param("100")
    @Range(min = 1, max = 1_000_000)
    public int terms;

    @Param("CAS")
    public Reduction reduction;

    @Param("16")
    @Range(min = 2, max = 1 << 24)
    public int capacity;

    @Param("PARK")
    public Idle idle;

    @Param("MODULO")
    public Index index;

    @Param("NONE")
    public Separation separation;

    @Param("BEFORE")
    public Start start;

    @Param("COMPACT")
    public Placement placement;

    @Param("PARALLEL")
    public Collector collector;

    private Trial trial;
    private Expected expected;
    private Shot shot;
    private Job job;
    private Handoff handoff;

    @Setup(Level.Trial)
    public void prepare() {
        collector.verify();
        trial = new Trial(placement, Rules.roles(mechanism, threads));
        expected = Job.expected(events);
    }

    @Setup(Level.Iteration)
    public void muster() throws InterruptedException {
        shot = trial.shot(threads, events, expected);
        job = new Job(terms, reduction, shot.tallies(), mechanism == Mechanism.VIRTUAL_THREADS);
        handoff = mechanism.open(new Scenario(job, threads, capacity, index, separation, idle, start, shot.crew()));
        if (start == Start.BEFORE) {
            shot.ready();
        } else {
            shot.readyBeforeItsCrew();
        }
    }

    @Benchmark
    public void submit() throws InterruptedException {
        shot.start();
        handoff.publish(events);
        shot.finish();
    }

    @TearDown(Level.Iteration)
    public void dismiss() throws InterruptedException {
        trial.close(shot, handoff::stop);
        job.verify(events);
    }

    @TearDown(Level.Trial)
    public void report() throws IOException {
        trial.write();
    }
}
