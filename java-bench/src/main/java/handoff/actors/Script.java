package handoff.actors;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * What is to be played, the same in every shot.
 *
 * @param actors of whom each begins a chain of messages
 * @param events messages of all chains together, which are of one length, or differ by one message
 * @param bytes of each actor's state
 * @param accesses of the state by each message: a read and a write
 */
record Script(int actors, long events, int bytes, int accesses, Generator generator, Route route) {
    /** Messages of a chain. */
    long hops(int chain) {
        return events / actors + (chain < events % actors ? 1 : 0);
    }

    interface Scene {
        void play(int actor, int chain, long hop);
    }

    /**
     * What must come of it.
     *
     * @param handled messages of each actor
     * @param sums what an actor has read after so many messages: all have the same numbers
     */
    record Outcome(long[] handled, Map<Long, Long> sums) {
    }

    /** Every message in turn, chain after chain. */
    void play(Scene scene) {
        for (int chain = 0; chain < actors; chain++) {
            int actor = chain;
            for (long hop = 0; hop < hops(chain); hop++) {
                scene.play(actor, chain, hop);
                actor = route.next(actor, chain, hop + 1, actors);
            }
        }
    }

    Outcome outcome() {
        long[] handled = new long[actors];
        play((actor, chain, hop) -> handled[actor]++);
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
