package handoff.actors;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * The actors' work, the same in every shot.
 *
 * @param actors number of actors, each of which starts a chain of messages
 * @param events messages of all chains, which differ in length by one message at most
 * @param bytes of each actor's state
 * @param accesses of the state per message, each a read and a write
 */
record ActorsWorkload(
        int actors, long events, int bytes, int accesses, AccessGenerator generator, Route route) {
    /** Returns the number of messages of a chain. */
    long hops(int chain) {
        return events / actors + (chain < events % actors ? 1 : 0);
    }

    interface Visitor {
        void visit(int actor, int chain, long hop);
    }

    /**
     * The expected result.
     *
     * @param handled messages of each actor
     * @param sums sum of what an actor has read, by number of messages; the same for all actors
     */
    record Outcome(long[] handled, Map<Long, Long> sums) {}

    /** Visits every message, chain after chain. */
    void forEachMessage(Visitor visitor) {
        for (int chain = 0; chain < actors; chain++) {
            int actor = chain;
            for (long hop = 0; hop < hops(chain); hop++) {
                visitor.visit(actor, chain, hop);
                actor = route.next(actor, chain, hop + 1, actors);
            }
        }
    }

    Outcome outcome() {
        long[] handled = new long[actors];
        forEachMessage((actor, chain, hop) -> handled[actor]++);
        Set<Long> counts = new TreeSet<>(LongStream.of(handled).boxed().toList());
        Map<Long, Long> sums = new HashMap<>();
        Actor model = new Actor(0, bytes, generator);
        for (long count : counts) {
            while (model.handled() < count) {
                model.handle(accesses);
            }
            sums.put(count, model.sum());
        }
        return new Outcome(handled, sums);
    }
}
