package handoff.measure;

import java.util.List;

/**
 * The totals that the consumers' tallies must reach: {@code counts} and {@code checksums} have one
 * value per consumer if each sees every event, one in all if they share the events.
 */
public record Expected(List<Long> counts, List<Long> checksums) {

    /** Returns the totals of events that go to any one consumer each. */
    public static Expected shared(long events, long checksum) {
        return new Expected(List.of(events), List.of(checksum));
    }

    /**
     * Returns the totals of events that go to every consumer; {@code checksums} in the consumers'
     * order.
     */
    public static Expected each(long events, List<Long> checksums) {
        return new Expected(checksums.stream().map(any -> events).toList(), checksums);
    }

    /** Returns 0 + 1 + ... + (events - 1), modulo 2^64. */
    public static long sum(long events) {
        return events % 2 == 0 ? events / 2 * (events - 1) : (events - 1) / 2 * events;
    }

    /** Returns the number of consumptions, over all consumers. */
    long consumed() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * @throws IllegalStateException when a tally differs
     */
    void verify(List<Tally> tallies) {
        if (counts.size() == 1) {
            verify("", tallies, 0);
            return;
        }
        for (int i = 0; i < tallies.size(); i++) {
            verify("consumer-" + (i + 1) + ": ", tallies.subList(i, i + 1), i);
        }
    }

    private void verify(String who, List<Tally> tallies, int which) {
        long count = tallies.stream().mapToLong(Tally::count).sum();
        long checksum = tallies.stream().mapToLong(Tally::checksum).sum();
        if (count != counts.get(which)) {
            throw new IllegalStateException("%s%s events were consumed, but %s were published."
                    .formatted(who, count, counts.get(which)));
        }
        if (checksum != checksums.get(which)) {
            throw new IllegalStateException(
                    ("%sthe consumed events' checksum is %s, expected %s: an event was lost,"
                                    + " repeated or processed wrongly.")
                            .formatted(who, checksum, checksums.get(which)));
        }
    }
}
