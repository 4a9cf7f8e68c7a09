package handoff.actors;

/**
 * An actor's share of a round, so that the state that it brings into the cache is used for a while.
 * The clock is read after 1, 2, 4, ... 64 messages, then after every 64: a reading costs as much as
 * a small message, and a slice holds few long messages.
 */
final class TimeSlice implements Slice {
    /** Time in which every waiting actor has its turn. */
    static final long ROUND_NS = 200_000_000;

    /** Shortest slice; with more than 200 waiting actors, a round takes longer. */
    static final long LEAST_NS = 1_000_000;

    private static final int MOST_BETWEEN = 64;

    private long startNs;
    private int messages;
    private int look;

    @Override
    public void start() {
        messages = 0;
        look = 1;
        startNs = 0;
    }

    @Override
    public boolean isTimeToLook() {
        return ++messages == look;
    }

    @Override
    public boolean isOver(int waiting) {
        look += Math.min(look, MOST_BETWEEN);
        long now = System.nanoTime();
        if (startNs == 0) {
            startNs = now;
        }
        return waiting > 0 && now - startNs >= Math.max(LEAST_NS, ROUND_NS / (waiting + 1));
    }
}
