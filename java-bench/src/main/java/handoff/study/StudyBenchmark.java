package handoff.study;

import handoff.input.Words;
import handoff.machine.CpuChoice;
import handoff.machine.HeapPlacement;
import handoff.machine.Placement;
import handoff.machine.PlacementRule;
import handoff.measure.Collector;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * The life cycle that all studies share: a trial is one JVM, an iteration one shot.
 *
 * <pre>
 *   setUpTrial ─▶ ┌ setUpShot ─▶ measure, a @Benchmark ───────▶ tearDownShot ┐ ─▶ tearDownTrial
 *   warms up by   │ threads made,   start ─ publish ─ finish     proven,     │    evidence.json
 *   whole shots   │ pinned, waiting    inside the clock          recorded    │
 *                 └──────────────────── once a shot ─────────────────────────┘
 * </pre>
 *
 * A subclass says which threads there are ({@link #roles}), makes its mechanism ({@link #open}),
 * ends it ({@link #stop}), and hands the events over ({@link #measure}).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public abstract class StudyBenchmark {
    @Param("COMPACT")
    @Words(
            value = PlacementRule.class,
            pattern = CpuChoice.PATTERN,
            example = CpuChoice.EXAMPLE)
    public String placement;

    @Param("PARALLEL")
    public Collector collector;

    @Param("PRODUCER")
    public HeapPlacement memory;

    /** The shot under way. */
    protected Shot shot;

    /**
     * The system property with the most seconds of warm-up before JMH's first iteration; without
     * it there is none, and which of the recorded shots are warm-up is for the reader to say.
     */
    private static final String WARM_UP = "handoff.warmup.seconds";

    private Trial trial;

    /** The threads of this point; the same as its rules say. */
    protected abstract List<String> roles();

    /** As its rules say. */
    protected boolean behindStarter() {
        return false;
    }

    /** What is the same in every shot; after the threads have been planned. */
    protected void prepare() {}

    /**
     * A new shot with its mechanism, whose threads are started; on JMH's thread, which is pinned by
     * making the shot.
     */
    protected abstract Shot open(Trial from) throws InterruptedException;

    /** Starts the shot's clocks, hands all events over, and stops them; a {@code @Benchmark}. */
    public abstract void measure() throws InterruptedException;

    /** Returns when all threads wait for the first event. */
    protected void awaitReady() throws InterruptedException {
        shot.ready();
    }

    /** Tells the mechanism to end. */
    protected abstract void stop();

    /** What the shot found beyond time and CPU; asked for once all is verified. */
    protected Findings findings() {
        return Findings.NONE;
    }

    /**
     * @throws IllegalStateException when the shot's results are wrong, whatever its tallies say
     */
    protected void verify() {}

    /** What creating an event costs, where a study knows. */
    protected Double nsPerEventCreated() {
        return null;
    }

    @Setup(Level.Trial)
    public void setUpTrial() throws InterruptedException {
        collector.verify();
        memory.verify();
        Placement places = Placement.named(placement);
        trial = behindStarter()
                ? Trial.behindStarter(places, roles())
                : new Trial(places, roles());
        prepare();
        trial.warmUp(Double.parseDouble(System.getProperty(WARM_UP, "0")), () -> {
            setUpShot();
            measure();
            tearDownShot();
        });
    }

    @Setup(Level.Iteration)
    public void setUpShot() throws InterruptedException {
        shot = open(trial);
        awaitReady();
    }

    @TearDown(Level.Iteration)
    public void tearDownShot() throws InterruptedException {
        trial.close(shot, this::stop, this::findings);
        verify();
    }

    @TearDown(Level.Trial)
    public void tearDownTrial() throws IOException {
        trial.write(nsPerEventCreated());
    }
}
