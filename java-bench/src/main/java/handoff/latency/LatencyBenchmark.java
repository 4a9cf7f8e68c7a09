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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * How long does an event take from one stage to the next, when events come more slowly than they
 * could?
 *
 * <pre>
 *   P ── every gap ──▶ C1 ──▶ C2 ──▶ C3      published   the producer's reading of the clock
 *      published             seen            due         when it should have, by schedule
 * </pre>
 *
 * The parameters' defaults are those of the published test of 2011, save the number of events.
 */
public class LatencyBenchmark extends StudyBenchmark {
    /** As many as the original test reads to learn what a reading costs. */
    private static final int READINGS = 10_000_000;

    @Param("ARRAY_BLOCKING_QUEUE")
    public TransportMechanism mechanism;

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

    private double clockNs;
    private Stages clocks;
    private LatencyPipeline line;

    @Override
    protected List<String> roles() {
        return Plan.roles(1, stages);
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
    @Benchmark
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

    @Override
    protected void stop() {
        line.stop();
    }

    @Override
    protected Findings findings() {
        return clocks.findings();
    }
}
