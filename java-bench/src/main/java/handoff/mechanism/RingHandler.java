package handoff.mechanism;

import handoff.measure.ThreadTeam;

/**
 * What a consumer does with the events of a ring of either release. The release's own processor
 * calls it: nothing stands between, so a call costs what it costs the release's users.
 */
public abstract class RingHandler<E> extends ReadyHandler
        implements disruptor3.EventHandler<E>, com.lmax.disruptor.EventHandler<E> {
    protected RingHandler(ThreadTeam team) {
        super(team);
    }

    @Override
    public abstract void onEvent(E event, long sequence, boolean endOfBatch);
}
