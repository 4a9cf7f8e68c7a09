package handoff.mechanism;

import handoff.measure.ThreadTeam;

/**
 * A consumer of a ring of either release. The release's own processor calls it directly, so a call
 * costs what it costs the users of the Disruptor.
 */
public abstract class RingHandler<E> extends ReadyHandler
        implements disruptor3.EventHandler<E>, com.lmax.disruptor.EventHandler<E> {
    protected RingHandler(ThreadTeam team) {
        super(team);
    }

    @Override
    public abstract void onEvent(E event, long sequence, boolean endOfBatch);
}
