package handoff.ring;

import handoff.machine.Placement;
import handoff.measure.Collector;
import handoff.measure.Expected;
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
 * What does a message between a hundred nodes cost, when each node has a thread, and when all share a few?
 *
 * <pre>
 *            ┌──────────────────────────────────────────────┐
 *            ▼                                              │
 *   S ──▶ node 0 ── token ──▶ node 1 ── token ──▶ ... ──▶ node 99      at each hop `work` darts are thrown for pi
 * </pre>
 *
 * An event is one hop of one token, of PI_TASKS one dart. The starter S sends the tokens off and sleeps until the last is home; it
 * is on no core of its own. Every token makes as many whole rounds as the others, where the post's run ended with the first one home.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public class Ring {
    @Param("SHARED_POOL")
    public Mechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 1024)
    public int threads;

    @Param("100")
    @Range(min = 2, max = 1000)
    public int size;

    @Param("1")
    @Range(min = 1, max = 1000)
    public int tokens;

    @Param("0")
    @Range(min = 0, max = 1_000_000)
    public int work;

    @Param("1000000")
    @Range(min = 2, max = 4_000_000_000L)
    public long events;

    @Param("PER_THREAD")
    public Generator generator;

    @Param("AS_PUBLISHED")
    public Serialisation serialisation;

    @Param("COMPACT")
    public Placement placement;

    @Param("PARALLEL")
    public Collector collector;

    private Trial trial;
    private Expected expected;
    private Shot shot;
    private Rounds rounds;

    @Setup(Level.Trial)
    public void prepare() {
        collector.verify();
        trial = Trial.behindStarter(placement, Rules.roles(mechanism, size, threads));
        expected = mechanism.expected(size, tokens, events);
    }

    @Setup(Level.Iteration)
    public void muster() throws InterruptedException {
        shot = trial.shot(mechanism.parts(tokens), events, expected);
        rounds = mechanism.open(new Scenario(threads, size, events, work, generator, serialisation, shot.tallies(), shot.crew()));
        shot.ready();
    }

    @Benchmark
    public void start() throws InterruptedException {
        shot.start();
        rounds.publish(events);
        shot.finish(rounds.done());
    }

    @TearDown(Level.Iteration)
    public void dismiss() throws InterruptedException {
        trial.close(shot, rounds::stop);
        rounds.verify();
    }

    @TearDown(Level.Trial)
    public void report() throws IOException {
        trial.write();
    }
}
