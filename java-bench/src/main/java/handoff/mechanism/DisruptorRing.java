package handoff.mechanism;

import handoff.measure.ThreadTeam;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A Disruptor of either release, wired in steps: each handler of a step sees every event once,
 * after all handlers of the previous step.
 *
 * <pre>
 *                       step 1        step 2
 *                     ┌──▶ H1 ──┐
 *   P ── publish ──▶ ring       ├───▶ H3       no event leaves the ring; a slot is free again
 *                     └──▶ H2 ──┘              when the last step is done with it
 * </pre>
 *
 * A JVM measures one mechanism, so it loads one subclass and calls its methods directly.
 */
public abstract class DisruptorRing<E> {
    /**
     * The parts of a ring.
     *
     * @param producers number of producers; the ring synchronises more than one
     * @param steps handlers per step; each handler gets a thread of the team, in this order
     */
    public record Configuration<E>(
            Supplier<E> event,
            int capacity,
            int producers,
            Wait waiting,
            List<List<RingHandler<E>>> steps,
            ThreadTeam team) {
        /**
         * Adds the steps in their order.
         *
         * @param first adds the first step's handlers to the ring
         * @param next adds a step's handlers after those of the previous step
         */
        @SuppressWarnings("unchecked")
        <G> void wire(
                Function<RingHandler<E>[], G> first, BiFunction<G, RingHandler<E>[], G> next) {
            G done = null;
            for (List<RingHandler<E>> step : steps) {
                RingHandler<E>[] handlers = step.toArray(RingHandler[]::new);
                done = done == null ? first.apply(handlers) : next.apply(done, handlers);
            }
        }
    }

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

        /** Returns a ring whose handlers are running. */
        public abstract <E> DisruptorRing<E> open(Configuration<E> configuration);
    }

    /** Writes the {@code i}-th event, counted from 0, into its slot. */
    public interface Filler<E> {
        void fill(E event, long i);
    }

    /**
     * Publishes {@code events} events one by one. Each subclass has this loop: a producer that
     * calls through this class for every slot is so slow that its consumer catches up, and then
     * both wait for the same cache line at every event.
     */
    public abstract void publish(long events, Filler<E> filler);

    /** Claims the next slot and returns its sequence number; waits while the ring is full. */
    public abstract long next();

    public abstract E get(long sequence);

    public abstract void publish(long sequence);

    /** Ends the handlers' threads. */
    public abstract void halt();
}
