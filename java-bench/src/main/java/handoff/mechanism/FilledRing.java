package handoff.mechanism;

/** A ring that one producer fills, event after event. */
public record FilledRing<E>(DisruptorRing<E> ring, DisruptorRing.Filler<E> filler)
        implements Handoff {
    @Override
    public void publish(long events) {
        ring.publish(events, filler);
    }

    @Override
    public void stop() {
        ring.halt();
    }
}
