package handoff.actors;

/**
 * A slice of one message: what affinity is worth by itself, without running an actor's messages in
 * a row.
 */
final class OneMessage implements Slice {
    @Override
    public void begin() {}

    @Override
    public boolean isTimeToLook() {
        return true;
    }

    @Override
    public boolean isOver(int waiting) {
        return waiting > 0;
    }
}
