package handoff.scaling;

import handoff.measure.Crew;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongFunction;

/**
 * One blocking queue shared by all.
 *
 * <pre>
 *              ┌─────────┐ ── take ──▶ C1      P   producer, waits in put while the queue is full
 *   P ── put ─▶│  queue  │ ── take ──▶ C2      Cn  consumer, waits in take while it is empty
 *              └─────────┘ ── take ──▶ Cn      each element goes to whoever takes it
 * </pre>
 */
abstract class BlockingQueueHandoff implements Handoff {
    private final BlockingQueue<Event> queue;
    private final LongFunction<Event> supply;

    BlockingQueueHandoff(BlockingQueue<Event> queue, Scenario scenario) {
        this.queue = queue;
        this.supply = scenario.element().supply(scenario.capacity());
        for (EventConsumer consumer : scenario.consumers()) {
            scenario.crew().newThread(() -> consume(consumer, scenario.crew())).start();
        }
    }

    private void consume(EventConsumer consumer, Crew crew) {
        crew.ready();
        try {
            while (true) {
                Event event = queue.take();
                try {
                    consumer.accept(event);
                } catch (RuntimeException | Error reason) {
                    // Goes on taking, so that the producer is not left waiting in put.
                    crew.failed(reason);
                }
            }
        } catch (InterruptedException dismissed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        for (long i = 0; i < events; i++) {
            queue.put(supply.apply(i));
        }
    }

    @Override
    public void stop() {
        // The interrupt that follows ends a waiting take.
    }
}
