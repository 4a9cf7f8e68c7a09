package handoff.study;

import handoff.input.Parameter;
import handoff.input.Words;
import handoff.machine.HeapPlacement;
import handoff.machine.Placement;
import handoff.machine.PlacementRule;
import handoff.measure.Collector;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Handoff;
import java.io.IOException;
import java.util.List;
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
 * The life cycle that all studies share: a trial is one JVM, an iteration one shot.
 *
 * <pre>
 *   setUpTrial ─▶ ┌ setUpShot ─▶ measure, a @Benchmark ───────▶ tearDownShot ┐ ─▶ tearDownTrial
 *   warms up by   │ threads made,   start ─ publish ─ finish     proven,     │    evidence.json
 *   whole shots   │ pinned, waiting    inside the clock          recorded    │
 *                 └──────────────────── once per shot ───────────────────────┘
 * </pre>
 *
 * The rules name the threads; a subclass creates the mechanism ({@link #open}).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public abstract class StudyBenchmark {
    @Param("COMPACT")
    @Words(value = PlacementRule.class, pattern = Placement.PATTERN, example = Placement.EXAMPLE)
    public String placement;

    @Param("PARALLEL")
    public Collector collector;

    @Param("PRODUCER")
    public HeapPlacement memory;

    /** The current shot. */
    protected Shot shot;

    /** Its mechanism, where that is one. */
    protected Handoff handoff;

    /**
     * System property with the time limit of the warm-up before JMH's first iteration, in seconds;
     * without it there is none, and the reader decides which recorded shots are warm-up.
     */
    private static final String WARM_UP = "handoff.warmup.seconds";

    private final StudyRules rules;
    private Trial trial;

    protected StudyBenchmark(StudyRules rules) {
        this.rules = rules;
    }

    /** Prepares what all shots share; called after the threads have been planned. */
    protected void prepare() {}

    /**
     * Creates a shot and its {@link #handoff}, with all threads started; JMH's thread, which calls
     * this, is pinned by creating the shot.
     */
    protected abstract Shot open(Trial from) throws InterruptedException;

    /**
     * Starts the shot's clocks, hands all events over, and stops them. An override is not annotated
     * again: JMH calls it through this method.
     */
    @Benchmark
    public void measure() throws InterruptedException {
        long events = shot.events();
        shot.start();
        handoff.publish(events);
        shot.finish();
    }

    /** Returns when all threads wait for the first event. */
    protected void awaitReady() throws InterruptedException {
        shot.ready();
    }

    /** Stops the mechanism. */
    protected void stop() {
        handoff.stop();
    }

    /** Returns the shot's results other than time and CPU; called once everything is verified. */
    protected Findings findings() {
        return Findings.NONE;
    }

    /**
     * @throws IllegalStateException when the shot's results are wrong although its tallies are
     *     right
     */
    protected void verify() {}

    /** Returns the cost of creating an event; null if the study does not know it. */
    protected Double nsPerEventCreated() {
        return null;
    }

    @Setup(Level.Trial)
    public void setUpTrial() throws InterruptedException {
        collector.verify();
        memory.verify();
        Placement places = Placement.named(placement);
        List<String> roles = rules.roles(Parameter.point(this));
        trial = rules.behindStarter()
                ? Trial.behindStarter(places, roles)
                : new Trial(places, roles);
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
