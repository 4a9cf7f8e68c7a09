package handoff.ladder;

import handoff.input.BadInput;
import handoff.input.Range;
import handoff.input.Words;
import handoff.machine.Plan;
import handoff.measure.Calibration;
import handoff.measure.Expected;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Mechanism;
import handoff.mechanism.Release3;
import handoff.study.StudyBenchmark;
import handoff.work.Event;
import handoff.work.EventConsumer;
import handoff.work.Order;
import handoff.work.Sort;
import handoff.work.Work;
import java.util.List;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Param;

/**
 * Which decision, between a blocking queue and a Disruptor, saves how much?
 *
 * <pre>
 *   P ──▶ step of the ladder ──▶ C      P  producer: JMH's worker thread, on its own core
 *                                       C  consumer on the next core, sorts int[100]
 * </pre>
 *
 * Events, work and threads are those of the study {@code scaling} with one consumer.
 */
public class LadderBenchmark extends StudyBenchmark {
    @Param("ARRAY_BLOCKING_QUEUE")
    public LadderMechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 1_000_000)
    public int sorts;

    @Param("TODAY")
    public Sort sort;

    @Param("ASCENDING")
    public Order order;

    @Param("1000000")
    @Range(min = 1, max = 10_000_000_000L)
    public long events;

    @Param("8192")
    @Range(min = 1, max = 1 << 24)
    public int capacity;

    @Param("3.4.4")
    @Words(Release3.class)
    public String release;

    private Work work;
    private Expected expected;

    /** Keeps the compiler from removing the events that the calibration creates. */
    private Event created;

    public LadderBenchmark() {
        super(Mechanism.parameters(LadderMechanism.values()));
    }

    @Override
    public void check() {
        if (mechanism != LadderMechanism.ARRAY_BLOCKING_QUEUE) {
            Mechanism.checkCapacity(mechanism.name(), capacity);
        }
        if (mechanism == LadderMechanism.JCTOOLS_SPSC && capacity < JctoolsSpsc.LEAST_CAPACITY) {
            throw new BadInput("capacity=" + capacity + ": " + mechanism + " has at least "
                    + JctoolsSpsc.LEAST_CAPACITY + " places.");
        }
    }

    /** Returns the producer and the consumer; the sequential mechanism has no consumer. */
    @Override
    public List<String> roles() {
        return Plan.roles(1, mechanism == LadderMechanism.SEQUENTIAL ? 0 : 1);
    }

    @Override
    public boolean fills() {
        return true;
    }

    @Override
    protected void prepare() {
        Release3.verify(mechanism, release);
        work = new Work(order, sort, sorts);
        expected = Expected.shared(events, Work.checksum(LongStream.range(0, events)));
    }

    @Override
    protected Shot open(Trial from) {
        Shot opened = from.shot(1, events, expected);
        EventConsumer consumer = new EventConsumer(work, opened.tallies().get(0));
        handoff = mechanism.open(new LadderSetup(consumer, capacity, opened.team()));
        return opened;
    }

    @Override
    protected Double nsPerEventCreated() {
        return Calibration.nanos(() -> created = new Event(events));
    }
}
