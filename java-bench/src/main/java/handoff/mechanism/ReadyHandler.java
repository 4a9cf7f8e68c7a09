package handoff.mechanism;

import disruptor3.LifecycleAware;
import handoff.measure.ThreadTeam;

/**
 * A Disruptor's handler, of either release, whose thread is ready only when its processor can be
 * halted again.
 */
public abstract class ReadyHandler implements LifecycleAware {
    private final ThreadTeam team;

    protected ReadyHandler(ThreadTeam team) {
        this.team = team;
    }

    @Override
    public void onStart() {
        team.ready();
    }

    @Override
    public void onShutdown() {
        // Nothing is open.
    }
}
