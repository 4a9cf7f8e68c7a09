package handoff.mechanism;

import handoff.measure.ThreadTeam;

/** Reports failures to the team: both releases count an event as processed if its handler threw. */
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
