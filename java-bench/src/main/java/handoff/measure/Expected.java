package handoff.measure;

import java.util.List;

/**
 * What the consumers' tallies must come to: {@code counts} and {@code checksums}, one for each
 * consumer where every one of them sees every event, one for all together where they share the
 * events.
 */
public record Expected(List<Long> counts, List<Long> checksums) {

    /** Each event goes to one of the consumers, whichever. */
    public static Expected shared(long events, long checksum) {
        return new Expected(List.of(events), List.of(checksum));
    }

    /** Each event goes to every consumer; {@code checksums} in the consumers' order. */
    public static Expected each(long events, List<Long> checksums) {
        return new Expected(checksums.stream().map(any -> events).toList(), checksums);
    }

    /** How often an event is consumed, over all consumers. */
    long consumed() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * @throws IllegalStateException where a tally differs
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
            throw new IllegalStateException(who
                    + count
                    + " events were consumed where "
                    + counts.get(which)
                    + " were published.");
        }
        if (checksum != checksums.get(which)) {
            throw new IllegalStateException(who
                    + "the consumed events' checksum is "
                    + checksum
                    + ", expected "
                    + checksums.get(which)
                    + ": an event was lost, repeated or processed wrongly.");
        }
    }
}
