package handoff.actors;

import handoff.input.BadInput;
import handoff.input.Range;
import handoff.machine.PerfCounter.Event;
import handoff.machine.Plan;
import handoff.measure.EventCount;
import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Shot;
import handoff.measure.ThreadTeam;
import handoff.measure.Trial;
import handoff.mechanism.Mechanism;
import handoff.study.StudyBenchmark;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * Measures whether it pays to run an actor's next message where its state is still in the cache.
 *
 * <pre>
 *              ┌──────────── the next message, sent from inside ─────────────┐
 *              ▼                                                             │
 *   S ──▶ the scheduler ──────▶ a worker ──▶ actor: reads and writes its state at random places
 * </pre>
 *
 * An event is one message. Every actor starts a chain of messages, one of which is under way at a
 * time; the starter S sends the first ones and sleeps, on no core, until the last chain has ended.
 */
public class ActorsBenchmark extends StudyBenchmark {
    private static final long MOST_STATE = 400L << 20;

    @Param("WORK_STEALING")
    public ActorsMechanism mechanism;

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
    public AccessGenerator generator;

    @Param("SELF")
    public Route route;

    private ActorsWorkload workload;
    private Expected expected;
    private ActorsWorkload.Outcome outcome;
    private EventCount misses;
    private Double missed;
    private ActorGroup group;

    public ActorsBenchmark() {
        super(Mechanism.parameters(ActorsMechanism.values()));
    }

    @Override
    public List<String> measures() {
        return List.of("stayed", "in_a_row", "cache_misses");
    }

    @Override
    protected boolean behindStarter() {
        return true;
    }

    @Override
    public void check() {
        int actors = workers * perworker;
        if (events < actors) {
            throw new BadInput(
                    ("events=%s: expected at least workers x perworker = %s, because each"
                                    + " actor starts a chain of messages.")
                            .formatted(events, actors));
        }
        if (bytes % Integer.BYTES != 0) {
            throw new BadInput(
                    "bytes=%s: expected a multiple of %s, because the state consists of ints."
                            .formatted(bytes, Integer.BYTES));
        }
        if ((long) actors * bytes > MOST_STATE) {
            throw new BadInput.NotOnThisMachine(
                    ("%s actors of %s bytes each: expected at most %s MiB of state, to fit"
                                    + " into a fork's heap.")
                            .formatted(actors, bytes, MOST_STATE >> 20));
        }
    }

    @Override
    public List<String> roles() {
        return Plan.counted("worker", workers);
    }

    @Override
    protected void prepare() {
        workload =
                new ActorsWorkload(workers * perworker, events, bytes, accesses, generator, route);
        expected = ActorGroup.expected(workload);
        outcome = workload.outcome();
    }

    @Override
    protected Shot open(Trial from) {
        Shot opened = from.shot(workers, events, expected);
        group = new ActorGroup(workload, opened.tallies(), opened.team());
        Scheduler scheduler = mechanism.open(new ActorsSetup(group, workers, route, opened.team()));
        group.open(scheduler);
        handoff = scheduler;
        return opened;
    }

    @Override
    protected void awaitReady() throws InterruptedException {
        shot.ready();
        List<ThreadTeam.Member> members = shot.team().members();
        misses = new EventCount(Event.CACHE_MISSES, members.subList(1, members.size()));
    }

    @Override
    public void measure() throws InterruptedException {
        misses.start();
        shot.start();
        handoff.publish(events);
        shot.finish(group.done());
        missed = misses.stop();
    }

    @Override
    protected Findings findings() {
        return group.findings(missed);
    }

    @Override
    protected void verify() {
        group.verify(outcome);
    }
}
