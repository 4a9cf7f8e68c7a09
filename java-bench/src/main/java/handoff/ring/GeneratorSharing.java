package handoff.ring;

import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Whose random numbers a Monte-Carlo iteration draws. All are {@link Random}s, whose every number
 * is a compare and set.
 */
public enum GeneratorSharing {
    /** One for all, which is what {@code Math.random()} has: the post's first attempt. */
    SHARED {
        @Override
        IntFunction<Random> open(int nodes) {
            Random one = new Random(SEED);
            return node -> one;
        }
    },
    /** One for each node, or for each of the two tasks. */
    PER_NODE {
        @Override
        IntFunction<Random> open(int nodes) {
            Random seeds = new Random(SEED);
            Random[] each = Stream.generate(() -> new Random(seeds.nextLong()))
                    .limit(nodes)
                    .toArray(Random[]::new);
            return node -> each[node];
        }
    },
    /** The post's correction; each thread makes its own, so that no two lie in one cache line. */
    PER_THREAD {
        @Override
        IntFunction<Random> open(int nodes) {
            Random seeds = new Random(SEED);
            ThreadLocal<Random> own = ThreadLocal.withInitial(() -> new Random(seeds.nextLong()));
            return node -> own.get();
        }
    };

    private static final long SEED = 2009;

    /** Node to the generator that the calling thread uses for it. */
    abstract IntFunction<Random> open(int nodes);
}
