package handoff.scaling;

import handoff.work.Event;
import handoff.work.Work;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** The objects that a producer puts into a queue. A Disruptor always reuses its own events. */
public enum Element {
    /** A new object for every put, garbage once consumed. */
    NEW {
        @Override
        LongFunction<Event> supply(int capacity) {
            return Event::new;
        }
    },
    /**
     * Preallocated events, as many as the queue has places, which are put again and again and never
     * change.
     */
    REUSED {
        @Override
        LongFunction<Event> supply(int capacity) {
            Event[] events =
                    LongStream.range(0, capacity).mapToObj(Event::new).toArray(Event[]::new);
            return i -> events[(int) (i % capacity)];
        }
    };

    /** Returns a function from i to the producer's i-th event. */
    abstract LongFunction<Event> supply(int capacity);

    /** Returns the checksum of the first {@code events} events, each processed once. */
    long checksum(long events, int capacity) {
        LongFunction<Event> supply = supply(capacity);
        return Work.checksum(LongStream.range(0, events).map(i -> supply.apply(i).value));
    }
}
