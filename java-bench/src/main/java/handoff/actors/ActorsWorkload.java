package handoff.actors;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * What the actors do, the same in every shot.
 *
 * @param actors of whom each begins a chain of messages
 * @param events messages of all chains together, which are of one length, or differ by one message
 * @param bytes of each actor's state
 * @param accesses of the state by each message: a read and a write
 */
record ActorsWorkload(
        int actors, long events, int bytes, int accesses, AccessGenerator generator, Route route) {
    /** Messages of a chain. */
    long hops(int chain) {
        return events / actors + (chain < events % actors ? 1 : 0);
    }

    interface Visitor {
        void visit(int actor, int chain, long hop);
    }

    /**
     * What must come of it.
     *
     * @param handled messages of each actor
     * @param sums what an actor has read after so many messages: all have the same numbers
     */
    record Outcome(long[] handled, Map<Long, Long> sums) {}

    /** Every message in turn, chain after chain. */
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
        Set<Long> wanted = new TreeSet<>(LongStream.of(handled).boxed().toList());
        Map<Long, Long> sums = new HashMap<>();
        Actor model = new Actor(0, bytes, generator);
        for (long count : wanted) {
            while (model.handled() < count) {
                model.handle(accesses);
            }
            sums.put(count, model.sum());
        }
        return new Outcome(handled, sums);
    }
}
