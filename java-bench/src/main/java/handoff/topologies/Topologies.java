package handoff.topologies;

import handoff.machine.Placement;
import handoff.measure.Collector;
import handoff.measure.Range;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Handoff;
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
 * How long do events take through each of the five wirings for which the Disruptor's authors published throughput?
 *
 * <pre>
 *   UNICAST    P ─▶ C               SEQUENCER  P P P ─▶ C
 *   PIPELINE   P ─▶ C ─▶ C ─▶ C     MULTICAST  P ─▶ C C C     DIAMOND  P ─▶ C C ─▶ C
 * </pre>
 *
 * The parameters' defaults are those of the published tests of 2011, save the number of events.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public class Topologies {
    @Param("ARRAY_BLOCKING_QUEUE")
    public Mechanism mechanism;

    @Param("UNICAST")
    public Topology topology;

    @Param("AS_PUBLISHED")
    public Accounting accounting;

    @Param("1000000")
    @Range(min = 3, max = 10_000_000_000L)
    public long events;

    @Param("32768")
    @Range(min = 1, max = 1 << 24)
    public int capacity;

    @Param("YIELDING")
    public Wait wait;

    @Param("COMPACT")
    public Placement placement;

    @Param("PARALLEL")
    public Collector collector;

    private Trial trial;
    private Shot shot;
    private Handoff handoff;

    @Setup(Level.Trial)
    public void prepare() {
        collector.verify();
        trial = new Trial(placement, topology.roles());
    }

    @Setup(Level.Iteration)
    public void muster() throws InterruptedException {
        shot = trial.shot(topology.consumers(), events, topology.expected(events));
        handoff = topology.open(new Scenario(mechanism, shot.tallies(), capacity, wait, shot.crew()), accounting);
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
        trial.write();
    }
}
