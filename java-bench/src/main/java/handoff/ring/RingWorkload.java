package handoff.ring;

import handoff.measure.Expected;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;

/**
 * All hops of one shot: a node's work on a token, the end of a token's rounds, and the proof that
 * each hop was made once, in order.
 */
final class RingWorkload {
    private final int nodes;
    private final long hops;
    private final int work;
    private final IntFunction<Random> generator;
    private final List<Token> tokens;
    private final CountDownLatch home;

    RingWorkload(RingSetup setup) {
        nodes = setup.nodes();
        hops = setup.hops();
        work = setup.work();
        generator = setup.generator().open(nodes);
        tokens = setup.tallies().stream().map(Token::new).toList();
        home = new CountDownLatch(tokens.size());
    }

    List<Token> tokens() {
        return tokens;
    }

    /** Returns a latch that opens when every token has made all its hops. */
    CountDownLatch home() {
        return home;
    }

    int after(int node) {
        return node == nodes - 1 ? 0 : node + 1;
    }

    /** Does the work of {@code node} on a token; returns whether the token continues. */
    boolean visit(int node, Token token) {
        if (work > 0) {
            token.hits += MonteCarlo.hits(work, generator.apply(node));
        }
        long hop = token.tally.count();
        token.tally.add(mark(node, hop));
        if (hop + 1 < hops) {
            return true;
        }
        home.countDown();
        return false;
    }

    /** Throws IllegalStateException when the work was not done; call after the shot. */
    void verify() {
        MonteCarlo.verify(
                tokens.stream().mapToLong(token -> token.hits).sum(), tokens.size() * hops * work);
    }

    /** Returns a hop's part of the checksum, which differs by node and by turn. */
    static long mark(int node, long hop) {
        long spread = (hop + 1) * 0x9E3779B97F4A7C15L + node;
        return (spread ^ spread >>> 29) * 0xBF58476D1CE4E5B9L;
    }

    /** Returns the totals of tokens that go from node 0, node after node. */
    static Expected expected(int nodes, int tokens, long hops) {
        long sum = 0;
        for (long hop = 0; hop < hops; hop++) {
            sum += mark((int) (hop % nodes), hop);
        }
        return Expected.each(hops, Collections.nCopies(tokens, sum));
    }
}
