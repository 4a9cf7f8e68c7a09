package handoff.scaling;

import handoff.mechanism.ConsumerLoop;
import handoff.mechanism.Handoff;
import java.util.function.LongFunction;
import org.jctools.queues.varhandle.SpmcVarHandleArrayQueue;

/**
 * Not in the paper: JCTools' ring for a single producer. Nobody sleeps: who finds it full or empty
 * looks again, and after a hundred looks gives up its time slice, as a yielding Disruptor does.
 *
 * <pre>
 *                ┌────────┐ ◀── polls ── C1      P   producer, offers until there is room
 *   P ── offer ─▶│  ring  │ ◀── polls ── C2      Cn  consumer, polls until there is an event
 *                └────────┘ ◀── polls ── Cn          that no other has taken
 * </pre>
 */
final class JctoolsSpmcHandoff implements Handoff {
    private static final int SPINS = 100;

    private final SpmcVarHandleArrayQueue<Event> ring;
    private final LongFunction<Event> supply;

    JctoolsSpmcHandoff(ScalingSetup setup) {
        ring = new SpmcVarHandleArrayQueue<>(setup.capacity());
        supply = setup.element().supply(setup.capacity());
        for (EventConsumer consumer : setup.consumers()) {
            ConsumerLoop.start(setup.team(), () -> consumer.accept(take()));
        }
    }

    @Override
    public void publish(long events) throws InterruptedException {
        for (long i = 0; i < events; i++) {
            Event event = supply.apply(i);
            for (int look = 1; !ring.offer(event); look++) {
                rest(look);
            }
        }
    }

    private Event take() throws InterruptedException {
        Event event = ring.poll();
        for (int look = 1; event == null; look++) {
            rest(look);
            event = ring.poll();
        }
        return event;
    }

    private static void rest(int look) throws InterruptedException {
        if (look < SPINS) {
            Thread.onSpinWait();
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Thread.yield();
    }
}
