package handoff.actors;

import handoff.machine.Placement;
import handoff.measure.CacheMisses;
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
 * Does it pay to run an actor's next message where its state is still in the cache?
 *
 * <pre>
 *              ┌──────────── the next message, sent from inside ─────────────┐
 *              ▼                                                             │
 *   S ──▶ whoever schedules ──▶ a worker ──▶ actor: reads and writes its state at random places
 * </pre>
 *
 * An event is one message. Every actor begins a chain of messages, one of which is on its way at a time; the starter S sends the first
 * ones off and sleeps until the last chain has ended, on no core of its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public class Actors {
    @Param("WORK_STEALING")
    public Mechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 1024)
    public int workers;

    @Param("3")
    @Range(min = 1, max = 100_000)
    public int perworker;

    @Param("100")
    @Range(min = 1, max = 1_000_000)
    public int accesses;

    @Param("64")
    @Range(min = 4, max = 1 << 30)
    public int bytes;

    @Param("600000")
    @Range(min = 1, max = 1_000_000_000L)
    public long events;

    @Param("AS_PUBLISHED")
    public Generator generator;

    @Param("SELF")
    public Route route;

    @Param("COMPACT")
    public Placement placement;

    @Param("PARALLEL")
    public Collector collector;

    private Trial trial;
    private Script script;
    private Expected expected;
    private Script.Outcome outcome;
    private Shot shot;
    private CacheMisses misses;
    private Double missed;
    private Stage stage;
    private Scheduler scheduler;

    @Setup(Level.Trial)
    public void prepare() {
        collector.verify();
        trial = Trial.behindStarter(placement, Rules.roles(workers));
        int actors = workers * perworker;
        script = new Script(actors, events, bytes, accesses, generator, route);
        expected = Stage.expected(script);
        outcome = script.outcome();
    }

    @Setup(Level.Iteration)
    public void muster() throws InterruptedException {
        shot = trial.shot(workers, events, expected);
        stage = new Stage(script, shot.tallies(), shot.crew());
        scheduler = mechanism.open(new Scenario(stage, workers, route, shot.crew()));
        stage.open(scheduler);
        shot.ready();
        misses = new CacheMisses(shot.crew().members());
    }

    @Benchmark
    public void start() throws InterruptedException {
        misses.start();
        shot.start();
        scheduler.publish(events);
        shot.finish(stage.done());
        missed = misses.stop();
    }

    @TearDown(Level.Iteration)
    public void dismiss() throws InterruptedException {
        trial.close(shot, scheduler::stop, () -> stage.findings(missed));
        stage.verify(outcome);
    }

    @TearDown(Level.Trial)
    public void report() throws IOException {
        trial.write();
    }
}
