package handoff.scaling;

import handoff.machine.Placement;
import handoff.measure.Calibration;
import handoff.measure.Collector;
import handoff.measure.Expected;
import handoff.measure.Range;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Handoff;
import handoff.mechanism.Wait;
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
 * How long does it take one producer to get a given number of events consumed by n consumers?
 *
 * <pre>
 *                                  ┌──▶ C1       P   producer = JMH's worker thread, on its own core
 *   P ──▶ mechanism (queue, ring) ─┼──▶ C2       Cn  consumer on the next core, sorts int[100]
 *                                  └──▶ Cn       each event goes to exactly one of them
 * </pre>
 *
 * The threads are made, pinned and waiting before the clock starts. Every shot is recorded, the first ones
 * too; which of them are warm-up is for the reader of the data to say.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public class Scaling {
    @Param("SEQUENTIAL")
    public Mechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 11)
    public int consumers;

    @Param("1")
    @Range(min = 1, max = 1_000_000)
    public int sorts;

    @Param("ASCENDING")
    public Order order;

    @Param("1000000")
    @Range(min = 1, max = 10_000_000_000L)
    public long events;

    @Param("8192")
    @Range(min = 1, max = 1 << 24)
    public int capacity;

    @Param("YIELDING")
    public Wait wait;

    @Param("COMPACT")
    public Placement placement;

    @Param("NEW")
    public Element element;

    @Param("PARALLEL")
    public Collector collector;

    private Trial trial;
    private Work work;
    private Expected expected;
    private Shot shot;
    private Handoff handoff;
    /** Keeps the events that calibration creates from being optimised away. */
    private Event created;

    @Setup(Level.Trial)
    public void prepare() {
        collector.verify();
        trial = new Trial(placement, Rules.roles(mechanism, consumers));
        work = new Work(order, sorts);
        expected = Expected.shared(events, element.checksum(events, capacity));
    }

    @Setup(Level.Iteration)
    public void muster() throws InterruptedException {
        shot = trial.shot(mechanism == Mechanism.SEQUENTIAL ? 1 : consumers, events, expected);
        handoff = mechanism.open(new Scenario(
            shot.tallies().stream().map(tally -> new EventConsumer(work, tally)).toList(),
            capacity, wait, element, shot.crew()));
        shot.ready();
    }

    @Benchmark
    public void handOver() throws InterruptedException {
        shot.start();
        handoff.publish(events);
        shot.finish();
    }

    @TearDown(Level.Iteration)
    public void dismiss() throws InterruptedException {
        trial.close(shot, handoff::stop);
    }

    @TearDown(Level.Trial)
    public void report() throws IOException {
        trial.write(Calibration.nanos(() -> created = new Event(events)));
    }
}
