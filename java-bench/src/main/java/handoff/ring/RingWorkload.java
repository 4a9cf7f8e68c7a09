package handoff.ring;

import handoff.measure.Expected;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * All hops of one shot: what a node does with a token, when a token is home, and the proof that
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

    /** Open until every token has made all its hops. */
    CountDownLatch home() {
        return home;
    }

    int after(int node) {
        return node == nodes - 1 ? 0 : node + 1;
    }

    /** What {@code node} does with a token; returns whether it goes on. */
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

    /** Call when the shot is over. @throws IllegalStateException when the work was not done */
    void verify() {
        MonteCarlo.verify(
                tokens.stream().mapToLong(token -> token.hits).sum(), tokens.size() * hops * work);
    }

    /** A hop's part of the checksum: another one at another node, or at another turn. */
    static long mark(int node, long hop) {
        long spread = (hop + 1) * 0x9E3779B97F4A7C15L + node;
        return (spread ^ spread >>> 29) * 0xBF58476D1CE4E5B9L;
    }

    /** Every token from node 0 on, node after node. */
    static Expected expected(int nodes, int tokens, long hops) {
        long sum = 0;
        for (long hop = 0; hop < hops; hop++) {
            sum += mark((int) (hop % nodes), hop);
        }
        long each = sum;
        List<Long> sums = new ArrayList<>();
        IntStream.range(0, tokens).forEach(token -> sums.add(each));
        return Expected.each(hops, sums);
    }
}
