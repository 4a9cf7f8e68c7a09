package handoff.executors;

import handoff.input.BadInput;
import handoff.input.Range;
import handoff.input.Words;
import handoff.machine.Plan;
import handoff.measure.Expected;
import handoff.measure.Shot;
import handoff.measure.Trial;
import handoff.mechanism.Carriers;
import handoff.mechanism.Mechanism;
import handoff.mechanism.Release3;
import handoff.study.StudyBenchmark;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Param;

/**
 * How long do n workers take for a million tasks of some hundred nanoseconds, and how much of that
 * time is spent on handing them out?
 *
 * <pre>
 *                                 ┌──▶ W1 ──┐
 *   P ── a new task, submitted ──▶├──▶ W2   ├──▶ one sum: shared, in cells, by worker,
 *                                 └──▶ Wn ──┘             or on a thread of its own
 * </pre>
 *
 * An event is a task: a slice of the series for pi. For every mechanism the tasks are of the same
 * class, the threads are started and pinned before the clock starts, and the end is awaited in the
 * same way. The defaults of the other parameters are those of the code that the post measured.
 */
public class ExecutorsBenchmark extends StudyBenchmark {
    /** The denominator of a term is twice its index, and both are ints, as in the post. */
    private static final long MOST_TERMS = 1_000_000_000;

    @Param("FIXED_THREAD_POOL")
    public ExecutorsMechanism mechanism;

    @Param("1")
    @Range(min = 1, max = 1024)
    public int threads;

    @Param("1000000")
    @Range(min = 1, max = 1_000_000_000)
    public long events;

    @Param("100")
    @Range(min = 1, max = 1_000_000)
    public int terms;

    @Param("CAS")
    public Reduction reduction;

    @Param("16")
    @Range(min = 2, max = 1 << 24)
    public int capacity;

    @Param("PARK")
    public Idle idle;

    @Param("MODULO")
    public Index index;

    @Param("NONE")
    public Separation separation;

    @Param("BEFORE")
    public Start start;

    @Param("3.4.4")
    @Words(Release3.class)
    public String release;

    private Expected expected;
    private PiJob job;

    public ExecutorsBenchmark() {
        super(Mechanism.parameters(ExecutorsMechanism.values()));
    }

    @Override
    public void check() {
        if (events * terms > MOST_TERMS) {
            throw new BadInput("events x terms: expected at most " + MOST_TERMS + ", got "
                    + events * terms + ".");
        }
        checkRing();
        if (mechanism == ExecutorsMechanism.VIRTUAL_THREADS) {
            if (reduction == Reduction.PER_WORKER) {
                throw new BadInput(
                        "reduction=PER_WORKER: a virtual thread runs one task, so VIRTUAL_THREADS"
                                + " has no workers that could keep a sum.");
            }
            Carriers.check(mechanism.name());
        }
    }

    private void checkRing() {
        boolean choosesIndex = mechanism.parameters().contains("index");
        boolean masks = !choosesIndex || index == Index.MASK;
        if (mechanism.parameters().contains("capacity") && masks) {
            Mechanism.checkCapacity(mechanism + (choosesIndex ? " with index=MASK" : ""), capacity);
        }
    }

    /** Returns the producer, the workers and, where one exists, the collector. */
    @Override
    public List<String> roles() {
        List<String> roles = new ArrayList<>(List.of("producer"));
        roles.addAll(Plan.counted("worker", threads));
        if (mechanism.collects()) {
            roles.add("collector");
        }
        return roles;
    }

    @Override
    protected void prepare() {
        Release3.verify(mechanism, release);
        expected = PiJob.expected(events);
    }

    @Override
    protected Shot open(Trial from) {
        Shot opened = from.shot(threads, events, expected);
        job = new PiJob(
                terms,
                reduction,
                opened.tallies(),
                mechanism == ExecutorsMechanism.VIRTUAL_THREADS);
        handoff = mechanism.open(new ExecutorsSetup(
                job, threads, capacity, index, separation, idle, start, release, opened.team()));
        return opened;
    }

    @Override
    protected void awaitReady() throws InterruptedException {
        if (start == Start.BEFORE) {
            shot.ready();
        } else {
            shot.readyBeforeItsTeam();
        }
    }

    @Override
    protected void verify() {
        job.verify(events);
    }
}
