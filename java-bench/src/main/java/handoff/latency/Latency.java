package handoff.latency;

import handoff.machine.Placement;
import handoff.machine.Plan;
import handoff.measure.Clock;
import handoff.measure.Collector;
import handoff.measure.Range;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Mechanism;
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
 * How long does an event take from one stage to the next, when events come more slowly than they could?
 *
 * <pre>
 *   P ── every gap ──▶ C1 ──▶ C2 ──▶ C3      published   the producer's reading of the clock
 *      published             seen             due         when it should have read it, by the schedule
 * </pre>
 *
 * The parameters' defaults are those of the published test of 2011, save the number of events.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public class Latency {
    /** As many as the original test reads to learn what a reading costs. */
    private static final int READINGS = 10_000_000;

    @Param("ARRAY_BLOCKING_QUEUE")
    public Mechanism mechanism;

    @Param("3")
    @Range(min = 1, max = 3)
    public int stages;

    /** Nanoseconds from event to event. */
    @Param("1000")
    @Range(min = 0, max = 1_000_000_000)
    public long gap;

    @Param("AFTER_PUBLISH")
    public Pacing pacing;

    @Param("LAST_STAGE")
    public Recording recording;

    @Param("1000000")
    @Range(min = 1, max = 10_000_000_000L)
    public long events;

    @Param("32768")
    @Range(min = 1, max = 1 << 24)
    public int capacity;

    @Param("BUSY_SPIN")
    public Wait wait;

    @Param("COMPACT")
    public Placement placement;

    @Param("PARALLEL")
    public Collector collector;

    private Trial trial;
    private Shot shot;
    private double clockNs;
    private Stages clocks;
    private Line line;

    @Setup(Level.Trial)
    public void prepare() {
        collector.verify();
        trial = new Trial(placement, Plan.roles(1, stages));
        clockNs = Clock.nanosPerReading(READINGS);
    }

    @Setup(Level.Iteration)
    public void muster() throws InterruptedException {
        shot = trial.shot(stages, events, Stages.expected(stages, events));
        clocks = new Stages(shot.tallies(), recording, pacing, clockNs);
        line = mechanism.release() == null ? new QueueLine(mechanism, clocks, capacity, shot.crew())
            : new RingLine(mechanism.release(), clocks, capacity, wait, shot.crew());
        shot.ready();
    }

    @Benchmark
    public void handOver() throws InterruptedException {
        shot.start();
        if (pacing == Pacing.SCHEDULE) {
            publishOnSchedule();
        } else {
            publishAfterGaps();
        }
        shot.finish();
    }

    private void publishOnSchedule() throws InterruptedException {
        long due = System.nanoTime();
        for (long i = 0; i < events; i++) {
            due += gap;
            while (System.nanoTime() < due) {
                // The clock is the wait: a pause would be longer than many a gap.
            }
            line.publish(i, due);
        }
    }

    private void publishAfterGaps() throws InterruptedException {
        for (long i = 0; i < events; i++) {
            line.publish(i, 0);
            long published = System.nanoTime();
            while (System.nanoTime() - published < gap) {
                // As above.
            }
        }
    }

    @TearDown(Level.Iteration)
    public void dismiss() throws InterruptedException {
        trial.close(shot, line::stop, clocks::findings);
    }

    @TearDown(Level.Trial)
    public void report() throws IOException {
        trial.write();
    }
}
