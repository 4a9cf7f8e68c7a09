package handoff.scaling;

import handoff.input.Range;
import handoff.input.Words;
import handoff.machine.PerfCounter;
import handoff.machine.Plan;
import handoff.measure.Calibration;
import handoff.measure.EventCount;
import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Mechanism;
import handoff.mechanism.Release3;
import handoff.mechanism.Wait;
import handoff.study.StudyBenchmark;
import handoff.work.Event;
import handoff.work.EventConsumer;
import handoff.work.Order;
import handoff.work.Sort;
import handoff.work.Work;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Param;

/**
 * How long does it take to hand a given number of events from one producer to n consumers?
 *
 * <pre>
 *                                  ┌──▶ C1       P   producer: JMH's worker thread, on its own core
 *   P ──▶ mechanism (queue, ring) ─┼──▶ C2       Cn  consumer on the next core, sorts int[100]
 *                                  └──▶ Cn       each event goes to exactly one of them
 * </pre>
 *
 * All threads are started, pinned and waiting before the clock starts.
 */
public class ScalingBenchmark extends StudyBenchmark {
    @Param("SEQUENTIAL")
    public ScalingMechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 11)
    public int consumers;

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

    @Param("YIELDING")
    public Wait wait;

    @Param("3.4.4")
    @Words(Release3.class)
    public String release;

    @Param("NEW")
    public Element element;

    /**
     * System property with the event that counts cache lines taken from a cache of another socket,
     * as {@link PerfCounter.Event#parse} reads it; without it they are not counted.
     */
    private static final String REMOTE_HITS = "handoff.remote.hits";

    private final Optional<PerfCounter.Event> remote =
            Optional.ofNullable(System.getProperty(REMOTE_HITS)).map(PerfCounter.Event::parse);

    private Optional<EventCount> count = Optional.empty();
    private Double counted;

    private Work work;
    /** By number of events, which is smaller in a short warm-up. */
    private final Map<Long, Expected> expected = new HashMap<>();

    /** Keeps the compiler from removing the events that the calibration creates. */
    private Event created;

    public ScalingBenchmark() {
        super(Mechanism.parameters(ScalingMechanism.values()));
    }

    @Override
    public void check() {
        if (mechanism.family().needsPowerOfTwo()) {
            Mechanism.checkCapacity(mechanism.name(), capacity);
        }
    }

    /** Returns the producer and the consumers; the sequential mechanism has none. */
    @Override
    public List<String> roles() {
        return Plan.roles(1, mechanism == ScalingMechanism.SEQUENTIAL ? 0 : consumers);
    }

    /** Returns the name of what a machine with several sockets may count. */
    @Override
    public List<String> measures() {
        return List.of("remote_hits");
    }

    @Override
    public boolean fills() {
        return true;
    }

    @Override
    public boolean shortens() {
        return true;
    }

    @Override
    protected void prepare() {
        Release3.verify(mechanism, release);
        work = new Work(order, sort, sorts);
    }

    @Override
    protected Shot open(Trial from) {
        long number = from.events(events);
        Shot opened = from.shot(
                mechanism == ScalingMechanism.SEQUENTIAL ? 1 : consumers,
                number,
                expected.computeIfAbsent(
                        number,
                        any -> Expected.shared(number, element.checksum(number, capacity))));
        handoff = mechanism.open(new ScalingSetup(
                opened.tallies().stream()
                        .map(tally -> new EventConsumer(work, tally))
                        .toList(),
                capacity,
                wait,
                element,
                opened.team()));
        return opened;
    }

    @Override
    protected void awaitReady() throws InterruptedException {
        shot.ready();
        count = remote.map(event -> new EventCount(event, shot.team().members()));
    }

    @Override
    public void measure() throws InterruptedException {
        count.ifPresent(EventCount::start);
        super.measure();
        counted = count.map(EventCount::stop).orElse(null);
    }

    @Override
    protected Findings findings() {
        return counted == null
                ? Findings.NONE
                : new Findings(Map.of("remote_hits", counted / shot.events()), null, null);
    }

    @Override
    protected Double nsPerEventCreated() {
        return Calibration.nanos(() -> created = new Event(events));
    }
}
