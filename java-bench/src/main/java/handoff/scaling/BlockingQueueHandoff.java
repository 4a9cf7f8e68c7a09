package handoff.scaling;

import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.Handoff;
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

    BlockingQueueHandoff(BlockingQueue<Event> queue, ScalingSetup setup) {
        this.queue = queue;
        this.supply = setup.element().supply(setup.capacity());
        for (EventConsumer consumer : setup.consumers()) {
            ConsumerLoop.start(setup.team(), () -> consumer.accept(queue.take()));
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        for (long i = 0; i < events; i++) {
            queue.put(supply.apply(i));
        }
    }
}
