package handoff.actors;

/** How one waits for another thread that is between two instructions. */
final class Spin {
    private static final int BEFORE_YIELDING = 100;

    private Spin() {}

    /**
     * The {@code turn}-th look, from 1. The other thread may have lost its core: who waits long
     * gives it one.
     */
    static void once(int turn) {
        if (turn % BEFORE_YIELDING == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
