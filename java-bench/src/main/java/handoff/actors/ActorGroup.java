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
 * The actors of one shot and their messages, and the proof that each was handled once, in order, by
 * one thread at a time.
 */
final class ActorGroup {
    private final ActorsWorkload workload;
    private final List<Actor> actors;
    private final List<Message> messages;
    private final List<WorkerStatistics> statistics;
    private final ThreadTeam team;
    private final ThreadLocal<WorkerStatistics> current = new ThreadLocal<>();
    private final CountDownLatch done;
    private Scheduler scheduler;

    /**
     * @param tallies one per worker
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

    /** Sets the scheduler; call before the first message. */
    void open(Scheduler opened) {
        scheduler = opened;
    }

    List<Actor> actors() {
        return actors;
    }

    List<Message> messages() {
        return messages;
    }

    /** Returns a latch that opens when every chain of messages has ended. */
    CountDownLatch done() {
        return done;
    }

    /** Assigns the {@code worker}-th statistics, from 0, to the calling thread. */
    void register(int worker) {
        current.set(statistics.get(worker));
    }

    /**
     * Lets the actor handle its message, and sends the message on. A failure ends the shot here,
     * because the caller may swallow it.
     */
    void turn(Message message) {
        try {
            Actor actor = message.at;
            actor.handle(workload.accesses());
            current.get().done(actor.number, mark(actor.number, message.chain, message.hop));
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
     * Throws IllegalStateException unless each actor handled its messages, one after the other;
     * call after the shot.
     */
    void verify(ActorsWorkload.Outcome expected) {
        for (Actor actor : actors) {
            long handled = expected.handled()[actor.number];
            long sum = expected.sums().get(handled);
            if (actor.handled() != handled || actor.sum() != sum) {
                throw new IllegalStateException(
                        ("Actor %s handled %s messages and read %s, expected %s and %s: a"
                                        + " message was lost or repeated, or two threads ran the"
                                        + " actor at once.")
                                .formatted(
                                        actor.number, actor.handled(), actor.sum(), handled, sum));
            }
        }
    }

    /**
     * Returns {@code stayed}, the share of an actor's messages, after its first, that ran on the
     * thread of the previous one, and {@code in_a_row}, the share of all messages whose thread had
     * just handled another of the same actor.
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

    /** Returns a message's part of the checksum, which differs by actor and by turn. */
    private static long mark(int actor, int chain, long hop) {
        return mix((hop << 20) + chain) + actor * 0x9E3779B97F4A7C15L;
    }

    static long mix(long number) {
        long spread = (number + 1) * 0x9E3779B97F4A7C15L;
        spread = (spread ^ spread >>> 29) * 0xBF58476D1CE4E5B9L;
        return spread ^ spread >>> 32;
    }

    /** Returns the totals when every message of every chain is handled once. */
    static Expected expected(ActorsWorkload workload) {
        long[] sum = new long[1];
        workload.forEachMessage((actor, chain, hop) -> sum[0] += mark(actor, chain, hop));
        return Expected.shared(workload.events(), sum[0]);
    }
}
