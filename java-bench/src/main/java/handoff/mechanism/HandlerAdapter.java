package handoff.mechanism;

import handoff.measure.ThreadTeam;
import handoff.mechanism.DisruptorRing.Handler;

/** A study's handler as one of either release. */
final class HandlerAdapter<E> extends ReadyHandler
        implements disruptor3.EventHandler<E>, com.lmax.disruptor.EventHandler<E> {
    private final Handler<E> handler;

    HandlerAdapter(Handler<E> handler, ThreadTeam team) {
        super(team);
        this.handler = handler;
    }

    @Override
    public void onEvent(E event, long sequence, boolean endOfBatch) {
        handler.onEvent(event);
    }
}
