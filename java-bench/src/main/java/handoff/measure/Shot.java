package handoff.measure;

import handoff.machine.Plan;
import handoff.machine.ThreadState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One timed execution, from setting up the team to shutting it down:
 *
 * <pre>
 *   new Shot ... ready()   |  start()  publish  finish()  |  close()
 *   team pinned, waiting   |       inside the clock       |  verified, recorded, shut down
 * </pre>
 */
public final class Shot {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ThreadTeam team;
    private final List<Tally> tallies;
    private final ExactlyOnce exactlyOnce;
    private final long events;
    private final Evidence.Hops hops;
    private List<ThreadTeam.Member> members;
    private List<ThreadState> before;
    private List<ThreadState> after;
    private Stopwatch stopwatch;

    /** Creates the shot on the producer's thread, which is pinned by this. */
    Shot(Plan plan, int consumers, long events, Expected expected, Evidence.Hops hops) {
        team = new ThreadTeam(plan, TIMEOUT);
        tallies = Stream.generate(Tally::new).limit(consumers).toList();
        exactlyOnce = new ExactlyOnce(tallies, expected, TIMEOUT);
        this.events = events;
        this.hops = hops;
    }

    public ThreadTeam team() {
        return team;
    }

    public long events() {
        return events;
    }

    public List<Tally> tallies() {
        return tallies;
    }

    /** Returns when every thread of the team is pinned and waits. */
    public void ready() throws InterruptedException {
        team.awaitReady();
        readyBeforeItsTeam();
    }

    /**
     * Prepares a shot whose mechanism starts its threads inside the clocks: only the producer
     * exists.
     */
    public void readyBeforeItsTeam() {
        members = team.members();
        before = members.stream()
                .map(member -> ThreadState.of(member.tid()))
                .collect(Collectors.toCollection(ArrayList::new));
        stopwatch = new Stopwatch(threads(members));
    }

    public void start() {
        stopwatch.start();
    }

    /** Waits until every event has been consumed and stops the clocks. */
    public void finish() throws InterruptedException {
        exactlyOnce.await(team::failure);
        stop();
    }

    /** Does the same for a starter, which sleeps until {@code done}. */
    public void finish(CountDownLatch done) throws InterruptedException {
        exactlyOnce.await(team::failure, done);
        stop();
    }

    private void stop() {
        stopwatch.stop();
        // First, because the state of a dead thread cannot be read.
        team.throwFailure();
        addStarted(team.members());
        after = members.stream().map(member -> ThreadState.of(member.tid())).toList();
    }

    /** Adds the threads that were started inside the clocks, from zero. */
    private void addStarted(List<ThreadTeam.Member> all) {
        List<ThreadTeam.Member> started = all.subList(members.size(), all.size());
        started.forEach(member -> before.add(ThreadState.unborn(member.tid())));
        stopwatch.addStartedSince(threads(started));
        members = all;
    }

    private static List<Thread> threads(List<ThreadTeam.Member> members) {
        return members.stream().map(ThreadTeam.Member::thread).toList();
    }

    /**
     * Shuts down the team and returns the record of this shot.
     *
     * @param stop stops the mechanism
     * @param findings called once everything is verified
     * @throws IllegalStateException unless every event was consumed exactly once and every thread
     *     ended
     */
    Evidence.Shot close(Runnable stop, Supplier<Findings> findings) throws InterruptedException {
        team.throwFailure();
        team.shutDown(stop);
        exactlyOnce.verify();
        Findings results = findings.get();
        List<Evidence.ThreadShot> threads = new ArrayList<>();
        IntStream.range(0, members.size()).forEach(i -> threads.add(record(i)));
        return new Evidence.Shot(
                events,
                Long.toHexString(exactlyOnce.checksum()),
                stopwatch.wallNs(),
                stopwatch.cpu().userNs(),
                stopwatch.cpu().systemNs(),
                stopwatch.gcNs(),
                stopwatch.compilerNs(),
                threads,
                hops,
                results.measures(),
                results.curves(),
                results.matrices());
    }

    private Evidence.ThreadShot record(int i) {
        Plan.Slot slot = members.get(i).slot();
        ThreadState first = before.get(i);
        ThreadState last = after.get(i);
        if (!last.mask().equals(members.get(i).mask())) {
            throw new IllegalStateException(
                    ("%s was moved during the shot: pinned to CPUs %s, at the end allowed on"
                                    + " CPUs %s.")
                            .formatted(slot.role(), members.get(i).mask(), last.mask()));
        }
        return new Evidence.ThreadShot(
                slot.role(),
                slot.cpu(),
                last.mask(),
                last.lastCpu(),
                slot.socket(),
                slot.node(),
                slot.cache(),
                slot.kind(),
                slot.oversubscribed(),
                stopwatch.threadCpuNs(i),
                last.voluntary() - first.voluntary(),
                last.involuntary() - first.involuntary(),
                last.migrationsSince(first));
    }
}
