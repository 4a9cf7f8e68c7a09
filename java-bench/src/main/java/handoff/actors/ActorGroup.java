package handoff.actors;

import handoff.measure.Expected;
import handoff.measure.Findings;
import handoff.measure.Tally;
import handoff.measure.ThreadTeam;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * The actors of one shot and their messages, and the proof that each was dealt with once, in order,
 * by one thread at a time.
 */
final class ActorGroup {
    private final ActorsWorkload workload;
    private final List<Actor> actors;
    private final List<Message> messages;
    private final List<WorkerStatistics> statistics;
    private final ThreadTeam team;
    private final ThreadLocal<WorkerStatistics> own = new ThreadLocal<>();
    private final CountDownLatch done;
    private Scheduler scheduler;

    /**
     * @param tallies one for each worker
     */
    ActorGroup(ActorsWorkload workload, List<Tally> tallies, ThreadTeam team) {
        this.workload = workload;
        statistics = tallies.stream().map(WorkerStatistics::new).toList();
        this.team = team;
        actors = IntStream.range(0, workload.actors())
                .mapToObj(number -> new Actor(number, workload.bytes(), workload.generator()))
                .toList();
        messages = actors.stream()
                .map(first -> new Message(this, first.number, workload.hops(first.number), first))
                .toList();
        done = new CountDownLatch(messages.size());
    }

    /** Call before the first message. */
    void open(Scheduler with) {
        scheduler = with;
    }

    List<Actor> actors() {
        return actors;
    }

    List<Message> messages() {
        return messages;
    }

    /** Counted down to nothing when every chain of messages has ended. */
    CountDownLatch done() {
        return done;
    }

    /** Gives the calling thread the {@code worker}-th statistics, from 0. */
    void register(int worker) {
        own.set(statistics.get(worker));
    }

    /**
     * Has a message dealt with by its actor and sent on. A failure ends the shot: who runs actors
     * may keep it to himself.
     */
    void turn(Message message) {
        try {
            Actor actor = message.at;
            actor.handle(workload.accesses());
            own.get().done(actor.number, mark(actor.number, message.chain, message.hop));
            if (++message.hop < message.hops) {
                message.goTo(actors.get(workload.route()
                        .next(actor.number, message.chain, message.hop, actors.size())));
                scheduler.send(message);
            } else {
                done.countDown();
            }
        } catch (RuntimeException | Error reason) {
            team.reportFailure(reason);
        }
    }

    /**
     * Call when the shot is over. @throws IllegalStateException unless each actor dealt with its
     * messages, one after the other
     */
    void verify(ActorsWorkload.Outcome expected) {
        for (Actor actor : actors) {
            long handled = expected.handled()[actor.number];
            if (actor.handled() != handled || actor.sum() != expected.sums().get(handled)) {
                throw new IllegalStateException("Actor "
                        + actor.number
                        + " dealt with "
                        + actor.handled()
                        + " messages and read "
                        + actor.sum()
                        + ", expected "
                        + handled
                        + " and "
                        + expected.sums().get(handled)
                        + ": a message was lost or repeated, or two threads ran the actor"
                        + " at once.");
            }
        }
    }

    /**
     * {@code stayed}: of the messages that had one before at the same actor, the share that ran on
     * its thread. {@code in_a_row}: of all messages, the share whose thread had dealt with one of
     * the same actor just before.
     *
     * @param misses cache misses of the shot, or null where they are not counted
     */
    Findings findings(Double misses) {
        Map<String, Double> measures = new HashMap<>();
        long repeated = actors.stream()
                .mapToLong(actor -> Math.max(0, actor.handled() - 1))
                .sum();
        if (repeated > 0) {
            measures.put(
                    "stayed",
                    1 - (double) actors.stream().mapToLong(Actor::moves).sum() / repeated);
        }
        measures.put(
                "in_a_row",
                (double) statistics.stream().mapToLong(WorkerStatistics::inARow).sum()
                        / workload.events());
        if (misses != null) {
            measures.put("cache_misses", misses / workload.events());
        }
        return new Findings(measures, null, null);
    }

    /** A message's part of the checksum: another one at another actor, or at another turn. */
    private static long mark(int actor, int chain, long hop) {
        return mix((hop << 20) + chain) + actor * 0x9E3779B97F4A7C15L;
    }

    static long mix(long number) {
        long spread = (number + 1) * 0x9E3779B97F4A7C15L;
        spread = (spread ^ spread >>> 29) * 0xBF58476D1CE4E5B9L;
        return spread ^ spread >>> 32;
    }

    /** Every message of every chain once. */
    static Expected expected(ActorsWorkload workload) {
        long[] sum = new long[1];
        workload.forEachMessage((actor, chain, hop) -> sum[0] += mark(actor, chain, hop));
        return Expected.shared(workload.events(), sum[0]);
    }
}
