package handoff.scaling;

import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.Exchange;
import handoff.mechanism.Handoff;
import handoff.yours.OwnClass;
import handoff.yours.Watchdog;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A class of the user's own, from outside the jar.
 *
 * <pre>
 *   P ── put ─▶ MyExchange ── take ──▶ C     P  producer, C  consumer: all else is as elsewhere
 * </pre>
 */
final class YoursHandoff implements Handoff {
    private final Exchange<Event> exchange;
    private final LongFunction<Event> supply;
    private final List<EventConsumer> consumers;

    YoursHandoff(ScalingSetup setup) {
        exchange = OwnClass.open(setup.capacity());
        supply = setup.element().supply(setup.capacity());
        consumers = setup.consumers();
        for (EventConsumer consumer : consumers) {
            ConsumerLoop.start(setup.team(), () -> consumer.accept(exchange.take()));
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        Watchdog watchdog = new Watchdog(this::seen, OwnClass.name());
        try {
            for (long i = 0; i < events; i++) {
                exchange.put(supply.apply(i));
            }
        } finally {
            watchdog.close();
        }
    }

    private long seen() {
        return consumers.stream().mapToLong(EventConsumer::seen).sum();
    }
}
