package handoff.mechanism;

import disruptor3.ExceptionHandler;
import handoff.measure.Crew;

/** Release 3 counts an event as processed even when its handler threw; the crew remembers. */
public record Report3<E>(Crew crew) implements ExceptionHandler<E> {
    @Override
    public void handleEventException(Throwable reason, long sequence, E event) {
        crew.failed(reason);
    }

    @Override
    public void handleOnStartException(Throwable reason) {
        crew.failed(reason);
    }

    @Override
    public void handleOnShutdownException(Throwable reason) {
        crew.failed(reason);
    }
}
