package handoff.ring;

import handoff.input.BadInput;
import handoff.input.Range;
import handoff.machine.Plan;
import handoff.measure.Expected;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Carriers;
import handoff.mechanism.Mechanism;
import handoff.study.StudyBenchmark;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * Measures what a message between a hundred nodes costs when each node has a thread, and when all
 * share a few.
 *
 * <pre>
 *            ┌──────────────────────────────────────────────┐
 *            ▼                                              │
 *   S ──▶ node 0 ── token ──▶ node 1 ── token ──▶ ... ──▶ node 99
 *
 *   at each hop `work` darts are thrown for pi
 * </pre>
 *
 * An event is one hop of one token, or one dart of PI_TASKS. The starter S sends the tokens off and
 * sleeps, on no core, until the last is home. All tokens make the same number of whole rounds,
 * whereas the post's run ended with the first one home.
 */
public class RingBenchmark extends StudyBenchmark {
    @Param("SHARED_POOL")
    public RingMechanism mechanism;

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
    public GeneratorSharing generator;

    @Param("AS_PUBLISHED")
    public Serialisation serialisation;

    private Expected expected;
    private RingHandoff rounds;

    public RingBenchmark() {
        super(Mechanism.parameters(RingMechanism.values()));
    }

    @Override
    protected boolean behindStarter() {
        return true;
    }

    @Override
    public void check() {
        boolean tasks = mechanism == RingMechanism.PI_TASKS;
        int round = tasks ? PiTasks.TASKS : size * tokens;
        if (events % round != 0) {
            throw new BadInput("events=%s: expected %s."
                    .formatted(
                            events,
                            tasks
                                    ? "an even number, because two tasks share them"
                                    : "a multiple of size x tokens = " + round
                                            + ", because every token makes whole rounds"));
        }
        if (mechanism == RingMechanism.VIRTUAL_THREAD_PER_NODE) {
            Carriers.check(mechanism.name());
        }
    }

    /** Returns the threads that run the nodes. */
    @Override
    public List<String> roles() {
        return mechanism == RingMechanism.THREAD_PER_NODE
                ? Plan.counted("node", size)
                : Plan.counted("worker", threads);
    }

    @Override
    protected void prepare() {
        expected = mechanism.expected(size, tokens, events);
    }

    @Override
    protected Shot open(Trial from) {
        Shot opened = from.shot(mechanism.parts(tokens), events, expected);
        rounds = mechanism.open(new RingSetup(
                threads,
                size,
                events,
                work,
                generator,
                serialisation,
                opened.tallies(),
                opened.team()));
        handoff = rounds;
        return opened;
    }

    @Override
    public void measure() throws InterruptedException {
        shot.start();
        rounds.publish(events);
        shot.finish(rounds.done());
    }

    @Override
    protected void verify() {
        rounds.verify();
    }
}
