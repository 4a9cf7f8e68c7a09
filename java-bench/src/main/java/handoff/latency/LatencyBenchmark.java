package handoff.latency;

import handoff.input.Range;
import handoff.machine.Plan;
import handoff.measure.Clock;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.TransportMechanism;
import handoff.mechanism.Wait;
import handoff.study.StudyBenchmark;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * Measures how long an event takes from one stage to the next, below saturation.
 *
 * <pre>
 *   P ── every gap ──▶ C1 ──▶ C2 ──▶ C3      published   the producer's reading of the clock
 *      published             seen            due         when it was to be published
 * </pre>
 *
 * The parameters' defaults are those of the published test of 2011, except the number of events.
 */
public class LatencyBenchmark extends StudyBenchmark {
    /** Readings from which the cost of one is determined, as many as in the original test. */
    private static final int READINGS = 10_000_000;

    @Param("ARRAY_BLOCKING_QUEUE")
    public TransportMechanism mechanism;

    @Param("3")
    @Range(min = 1, max = 3)
    public int stages;

    /** Nanoseconds between events. */
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

    private double clockNs;
    private Stages clocks;
    private LatencyPipeline line;

    public LatencyBenchmark() {
        super(TransportMechanism.parameters(
                List.of(
                        "stages",
                        "gap",
                        "pacing",
                        "recording",
                        "events",
                        "capacity",
                        "placement",
                        "collector",
                        "memory"),
                List.of()));
    }

    @Override
    public void check() {
        mechanism.check(capacity);
    }

    @Override
    public List<String> roles() {
        return Plan.roles(1, stages);
    }

    @Override
    public List<String> measures() {
        return Stages.measures();
    }

    @Override
    protected void prepare() {
        clockNs = Clock.nanosPerReading(READINGS);
    }

    @Override
    protected Shot open(Trial from) {
        Shot opened = from.shot(stages, events, Stages.expected(stages, events));
        clocks = new Stages(opened.tallies(), recording, pacing, clockNs);
        line = mechanism.release() == null
                ? new QueuePipeline(mechanism, clocks, capacity, opened.team())
                : new DisruptorPipeline(mechanism.release(), clocks, capacity, wait, opened.team());
        return opened;
    }

    @Override
    public void measure() throws InterruptedException {
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
                // Reading the clock is the wait: a pause could be longer than the gap.
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

    @Override
    protected void stop() {
        line.stop();
    }

    @Override
    protected Findings findings() {
        return clocks.findings();
    }
}
