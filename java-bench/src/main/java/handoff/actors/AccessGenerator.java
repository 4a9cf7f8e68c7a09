package handoff.actors;

import java.util.Random;

/**
 * The generator that picks places in an actor's state. Every actor has one, all with the same seed,
 * as published.
 */
public enum AccessGenerator {
    /**
     * The JDK's, which makes a compare-and-set per number, of a cell that moves with its actor: a
     * large share of a message's time.
     */
    AS_PUBLISHED {
        @Override
        Places open() {
            Random random = new Random(SEED);
            return random::nextInt;
        }
    },
    /** A multiplication, an addition and a shift, so that access to the state dominates. */
    CHEAP {
        @Override
        Places open() {
            return new Places() {
                private long seed = SEED;

                @Override
                public int next(int length) {
                    seed = seed * 0x5851F42D4C957F2DL + 0x14057B7EF767814FL;
                    return (int) ((seed >>> 33) * length >>> 31);
                }
            };
        }
    };

    private static final long SEED = 13;

    /** A source of random numbers from 0 to {@code length} - 1. */
    interface Places {
        int next(int length);
    }

    abstract Places open();
}
