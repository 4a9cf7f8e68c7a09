package handoff.scaling;

import handoff.mechanism.BlockingExchange;
import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.Exchange;
import handoff.mechanism.Handoff;
import handoff.work.Event;
import handoff.work.EventConsumer;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongFunction;

/**
 * One queue shared by all threads.
 *
 * <pre>
 *              ┌─────────┐ ── take ──▶ C1      P   producer, waits in put while the queue is full
 *   P ── put ─▶│  queue  │ ── take ──▶ C2      Cn  consumer, waits in take while it is empty
 *              └─────────┘ ── take ──▶ Cn      each event goes to the consumer that takes it
 * </pre>
 */
class ExchangeHandoff implements Handoff {
    private final Exchange<Event> exchange;
    private final LongFunction<Event> supply;

    ExchangeHandoff(BlockingQueue<Event> queue, ScalingSetup setup) {
        this(new BlockingExchange<>(queue), setup);
    }

    ExchangeHandoff(Exchange<Event> exchange, ScalingSetup setup) {
        this.exchange = exchange;
        this.supply = setup.element().supply(setup.capacity());
        for (EventConsumer consumer : setup.consumers()) {
            ConsumerLoop.start(setup.team(), () -> consumer.accept(exchange.take()));
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        for (long i = 0; i < events; i++) {
            exchange.put(supply.apply(i));
        }
    }
}
