package handoff.topologies;

import handoff.input.Range;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.TransportMechanism;
import handoff.mechanism.Wait;
import handoff.study.StudyBenchmark;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * Measures how long events take through each of the five wirings for which the Disruptor's authors
 * published throughput.
 *
 * <pre>
 *   UNICAST    P ─▶ C               SEQUENCER  P P P ─▶ C
 *   PIPELINE   P ─▶ C ─▶ C ─▶ C     MULTICAST  P ─▶ C C C     DIAMOND  P ─▶ C C ─▶ C
 * </pre>
 *
 * The parameters' defaults are those of the published tests of 2011, except the number of events.
 */
public class TopologiesBenchmark extends StudyBenchmark {
    @Param("ARRAY_BLOCKING_QUEUE")
    public TransportMechanism mechanism;

    @Param("UNICAST")
    public Wiring topology;

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

    public TopologiesBenchmark() {
        super(TransportMechanism.parameters(
                List.of("topology", "events", "capacity", "placement", "collector", "memory"),
                List.of("accounting")));
    }

    @Override
    public void check() {
        mechanism.check(capacity);
    }

    @Override
    public List<String> roles() {
        return topology.roles();
    }

    @Override
    public boolean fills() {
        return true;
    }

    @Override
    protected Shot open(Trial from) {
        Shot opened = from.shot(topology.consumers(), events, topology.expected(events));
        handoff = topology.open(
                new WiringSetup(mechanism, opened.tallies(), capacity, wait, opened.team()),
                accounting);
        return opened;
    }
}
