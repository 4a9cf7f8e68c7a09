package handoff.scaling;

import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** What a producer puts into a queue. The Disruptor's ring always reuses its own events. */
public enum Element {
    /** A new object for every put, garbage once consumed. */
    NEW {
        @Override
        LongFunction<Event> supply(int capacity) {
            return Event::new;
        }
    },
    /**
     * As many events as the queue has places, made beforehand and put again and again; nobody ever
     * changes one.
     */
    REUSED {
        @Override
        LongFunction<Event> supply(int capacity) {
            Event[] events =
                    LongStream.range(0, capacity).mapToObj(Event::new).toArray(Event[]::new);
            return i -> events[(int) (i % capacity)];
        }
    };

    /** The producer's i-th event. */
    abstract LongFunction<Event> supply(int capacity);

    /** The checksum of the first {@code events} events, each processed once. */
    long checksum(long events, int capacity) {
        LongFunction<Event> supply = supply(capacity);
        long sum = 0;
        for (long i = 0; i < events; i++) {
            sum += Work.expected(supply.apply(i).value);
        }
        return sum;
    }
}
