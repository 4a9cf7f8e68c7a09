package handoff.actors;

/**
 * A slice of one message, which shows the value of affinity alone, without running an actor's
 * messages in a row.
 */
final class OneMessage implements Slice {
    @Override
    public void start() {}

    @Override
    public boolean isTimeToLook() {
        return true;
    }

    @Override
    public boolean isOver(int waiting) {
        return waiting > 0;
    }
}
