package handoff.mechanism;

import handoff.measure.ThreadTeam;

/** Both releases count an event as processed even when its handler threw; the team remembers. */
public record FailureReporter<E>(ThreadTeam team)
        implements disruptor3.ExceptionHandler<E>, com.lmax.disruptor.ExceptionHandler<E> {
    @Override
    public void handleEventException(Throwable reason, long sequence, E event) {
        team.reportFailure(reason);
    }

    @Override
    public void handleOnStartException(Throwable reason) {
        team.reportFailure(reason);
    }

    @Override
    public void handleOnShutdownException(Throwable reason) {
        team.reportFailure(reason);
    }
}
