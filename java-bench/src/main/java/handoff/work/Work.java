package handoff.work;

import java.util.stream.LongStream;

/**
 * The consumer's work on one event: a new array of 100 consecutive numbers, sorted in place {@code
 * sorts} times.
 */
public final class Work {
    static final int NUMBERS = 100;

    private final Order order;
    private final Sort sort;
    private final int sorts;

    public Work(Order order, Sort sort, int sorts) {
        this.order = order;
        this.sort = sort;
        this.sorts = sorts;
    }

    /** Returns the event's contribution to the checksum, which only a sorted array yields. */
    public long process(long value) {
        int[] numbers = order.fresh(value);
        for (int i = 0; i < sorts; i++) {
            sort.sort(numbers);
        }
        return proof(value, numbers[index(value)]);
    }

    /** Returns what {@link #process} must return: place k of the sorted numbers 0 to 99 holds k. */
    public static long expected(long value) {
        return proof(value, index(value));
    }

    /** Returns the checksum of events with these values, each processed once. */
    public static long checksum(LongStream values) {
        return values.map(Work::expected).sum();
    }

    private static int index(long value) {
        return (int) value & 63;
    }

    /** Mixes the bits, so that a lost and a repeated event do not cancel out in the sum. */
    private static long proof(long value, int number) {
        long mixed = (value + 1) * 0x9E3779B97F4A7C15L;
        return (mixed ^ mixed >>> 29) + number;
    }
}
