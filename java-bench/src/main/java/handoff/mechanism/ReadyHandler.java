package handoff.mechanism;

import disruptor3.LifecycleAware;
import handoff.measure.ThreadTeam;

/**
 * A handler of either release of the Disruptor. Its thread is ready only when its processor can be
 * halted.
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
        // Nothing to close.
    }
}
