package handoff.ring;

import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * The sharing of the generators of Monte-Carlo iterations. All are {@link Random}s, which make a
 * compare-and-set per number.
 */
public enum GeneratorSharing {
    /** One for all, as behind {@code Math.random()}: the post's first attempt. */
    SHARED {
        @Override
        IntFunction<Random> open(int nodes) {
            Random shared = new Random(SEED);
            return node -> shared;
        }
    },
    /** One per node, or per task. */
    PER_NODE {
        @Override
        IntFunction<Random> open(int nodes) {
            Random seeds = new Random(SEED);
            Random[] generators = Stream.generate(() -> new Random(seeds.nextLong()))
                    .limit(nodes)
                    .toArray(Random[]::new);
            return node -> generators[node];
        }
    },
    /**
     * One per thread, the post's correction; each thread creates it, so no two share a cache line.
     */
    PER_THREAD {
        @Override
        IntFunction<Random> open(int nodes) {
            Random seeds = new Random(SEED);
            ThreadLocal<Random> local = ThreadLocal.withInitial(() -> new Random(seeds.nextLong()));
            return node -> local.get();
        }
    };

    private static final long SEED = 2009;

    /** Returns the generator that the calling thread uses, by node. */
    abstract IntFunction<Random> open(int nodes);
}
