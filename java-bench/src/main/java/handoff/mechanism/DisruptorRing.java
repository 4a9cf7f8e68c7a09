package handoff.mechanism;

import handoff.input.BadInput;
import handoff.measure.ThreadTeam;
import java.util.List;
import java.util.function.Supplier;

/**
 * A Disruptor of either release, wired in steps: the handlers of a step see every event, each once,
 * and only after all handlers of the step before.
 *
 * <pre>
 *                       step 1        step 2
 *                     ┌──▶ H1 ──┐
 *   P ── publish ──▶ ring       ├───▶ H3       no event leaves the ring; a slot is free again
 *                     └──▶ H2 ──┘              when the last step is done with it
 * </pre>
 *
 * A JVM measures one mechanism, so it loads one subclass, and the compiler calls its methods
 * directly.
 */
public abstract class DisruptorRing<E> {
    /**
     * What a ring is made from.
     *
     * @param producers more than one makes it synchronise its producers
     * @param steps for each step its handlers; each handler gets a thread of the team, in this
     *     order
     */
    public record Configuration<E>(
            Supplier<E> event,
            int capacity,
            int producers,
            Wait waiting,
            List<List<RingHandler<E>>> steps,
            ThreadTeam team) {}

    /** The releases in the jar. */
    public enum Release {
        THREE {
            @Override
            public <E> DisruptorRing<E> open(Configuration<E> configuration) {
                return new Disruptor3Ring<>(configuration);
            }
        },
        FOUR {
            @Override
            public <E> DisruptorRing<E> open(Configuration<E> configuration) {
                return new Disruptor4Ring<>(configuration);
            }
        };

        /** A ring whose consumers are started. */
        public abstract <E> DisruptorRing<E> open(Configuration<E> configuration);
    }

    /** What a producer writes into the event of a slot: its {@code i}-th, from 0. */
    public interface Filler<E> {
        void fill(E event, long i);
    }

    /**
     * Publishes {@code events} events one by one. The loop stands with the release's own ring: a
     * producer that calls through this class for every slot is slow enough for its consumer to
     * catch up, and then they pass every event through one cache line.
     */
    public abstract void publish(long events, Filler<E> filler);

    /** Claims the next slot; waits while the ring is full. */
    public abstract long next();

    public abstract E get(long sequence);

    public abstract void publish(long sequence);

    /** Ends the handlers' threads. */
    public abstract void halt();

    /**
     * @throws BadInput unless {@code capacity} is a power of two
     */
    public static void checkCapacity(int capacity) {
        if (Integer.bitCount(capacity) != 1) {
            throw new BadInput("capacity="
                    + capacity
                    + ": the Disruptor's ring needs a power of two, such as "
                    + Integer.highestOneBit(capacity)
                    + " or "
                    + 2 * Integer.highestOneBit(capacity)
                    + ".");
        }
    }
}
