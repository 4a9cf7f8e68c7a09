package handoff.actors;

/**
 * A slice that is an actor's share of a round, for the state that it has brought into the cache is
 * worth a while. The clock is read after 1, 2, 4, ... 64 messages, and then after every 64: it
 * costs as much as a small message, and long messages are few in a slice.
 */
final class TimeSlice implements Slice {
    /** In which every waiting actor has its turn. */
    static final long ROUND_NS = 200_000_000;

    /** With more than two hundred waiting a round takes longer. */
    static final long LEAST_NS = 1_000_000;

    private static final int MOST_BETWEEN = 64;

    private long begin;
    private int messages;
    private int look;

    @Override
    public void begin() {
        messages = 0;
        look = 1;
        begin = 0;
    }

    @Override
    public boolean isTimeToLook() {
        return ++messages == look;
    }

    @Override
    public boolean isOver(int waiting) {
        look += Math.min(look, MOST_BETWEEN);
        long now = System.nanoTime();
        if (begin == 0) {
            begin = now;
        }
        return waiting > 0 && now - begin >= Math.max(LEAST_NS, ROUND_NS / (waiting + 1));
    }
}
