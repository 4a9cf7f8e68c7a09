package handoff.study;

import handoff.input.BadInput;
import handoff.input.Words;
import handoff.machine.CpuChoice;
import handoff.machine.HeapPlacement;
import handoff.machine.Placement;
import handoff.machine.PlacementRule;
import handoff.machine.Plan;
import handoff.machine.Topology;
import handoff.measure.Collector;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Handoff;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
 * A study: its parameters, their rules beyond the range of each one, and the life cycle that all
 * studies share: a trial is one JVM, an iteration one shot.
 *
 * <pre>
 *   setUpTrial ─▶ ┌ setUpShot ─▶ measure, a @Benchmark ───────▶ tearDownShot ┐ ─▶ tearDownTrial
 *   warms up      │ threads made,   start ─ publish ─ finish     proven,     │    evidence.json
 *   by shots      │ pinned, waiting    inside the clock          recorded    │
 *                 └──────────────────── once per shot ───────────────────────┘
 * </pre>
 *
 * A subclass names the threads ({@link #roles}) and creates the mechanism ({@link #open}).
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 5)
@Fork(1)
public abstract class StudyBenchmark {
    @Param("COMPACT")
    @Words(value = PlacementRule.class, pattern = CpuChoice.PATTERN, example = CpuChoice.EXAMPLE)
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

    /**
     * System property with the number of events of a warm-up shot; without it, as many as in those
     * that count.
     */
    private static final String WARM_UP_EVENTS = "handoff.warmup.events";

    private final Map<String, List<String>> mechanisms;
    private Trial trial;

    /**
     * @param mechanisms the names of the parameters that matter to each mechanism
     */
    protected StudyBenchmark(Map<String, List<String>> mechanisms) {
        this.mechanisms = mechanisms;
    }

    public Map<String, List<String>> mechanisms() {
        return mechanisms;
    }

    /** Returns the threads of a shot in the order of their start; the first is JMH's own. */
    public abstract List<String> roles();

    /**
     * Checks the parameters, each valid by itself, against each other.
     *
     * @throws BadInput when the values do not fit together, or do not fit this machine
     */
    public void check() {}

    /** Returns whether JMH's thread only starts the others and has none of the {@link #roles}. */
    protected boolean behindStarter() {
        return false;
    }

    /** Returns the names of a shot's results other than time and CPU; see {@link Findings}. */
    public List<String> measures() {
        return List.of();
    }

    /**
     * Returns whether a shot must be long enough to fill the queue to be meaningful; false where
     * queues never fill, have no end, or are compared whether they fill or not.
     */
    public boolean fills() {
        return false;
    }

    /** Returns whether {@link #open} gives a shot of the warm-up {@link Trial#events}. */
    public boolean shortens() {
        return false;
    }

    /**
     * Plans the threads.
     *
     * @throws BadInput as {@link #check}, or when this machine cannot provide the placement
     */
    public Plan plan(Topology machine) {
        check();
        collector.check(machine);
        Plan plan = Placement.named(placement).plan(machine, roles());
        return behindStarter() ? plan.behindStarter() : plan;
    }

    /**
     * Returns the memory policy to start the JVM with; null for none.
     *
     * @throws BadInput when the heap cannot be placed this way, anywhere or on this machine
     */
    public HeapPlacement.Policy heap(Topology machine, Plan plan) {
        if (collector != Collector.PARALLEL_NUMA) {
            return memory.policy(machine, plan);
        }
        if (memory != HeapPlacement.PRODUCER) {
            throw new BadInput("memory=" + memory + ": the collector PARALLEL_NUMA places the heap"
                    + " itself; leave memory at PRODUCER.");
        }
        return null;
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
        long warmUpEvents = Long.getLong(WARM_UP_EVENTS, 0);
        if (warmUpEvents != 0 && !shortens()) {
            throw new IllegalStateException(
                    WARM_UP_EVENTS + ": this study has no shorter warm-up shots.");
        }
        trial = new Trial(plan(Topology.here()));
        prepare();
        trial.warmUp(Double.parseDouble(System.getProperty(WARM_UP, "0")), warmUpEvents, () -> {
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
