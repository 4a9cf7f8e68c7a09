package handoff.mechanism;

import disruptor3.EventHandler;
import disruptor3.LifecycleAware;
import disruptor3.RingBuffer;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.EventHandlerGroup;
import disruptor3.dsl.ProducerType;
import handoff.measure.Crew;
import java.util.List;

/** Release 3.4.4. */
final class Ring3<E> extends Ring<E> {
    private final Disruptor<E> disruptor;
    private final RingBuffer<E> ring;

    Ring3(Wiring<E> wiring) {
        disruptor = new Disruptor<>(wiring.event()::get, wiring.capacity(), wiring.crew(),
            wiring.producers() == 1 ? ProducerType.SINGLE : ProducerType.MULTI, wiring.waiting().release3());
        disruptor.setDefaultExceptionHandler(new Report3<>(wiring.crew()));
        EventHandlerGroup<E> done = null;
        for (List<Handler<E>> step : wiring.steps()) {
            EventHandler<E>[] adapters = adapters(step, wiring.crew());
            done = done == null ? disruptor.handleEventsWith(adapters) : done.then(adapters);
        }
        ring = disruptor.start();
    }

    @SuppressWarnings("unchecked")
    private static <E> EventHandler<E>[] adapters(List<Handler<E>> step, Crew crew) {
        return step.stream().map(handler -> new Adapter<>(handler, crew)).toArray(EventHandler[]::new);
    }

    @Override
    public void publish(long events, Filler<E> filler) {
        RingBuffer<E> slots = ring;
        for (long i = 0; i < events; i++) {
            long slot = slots.next();
            filler.fill(slots.get(slot), i);
            slots.publish(slot);
        }
    }

    @Override
    public long next() {
        return ring.next();
    }

    @Override
    public E get(long sequence) {
        return ring.get(sequence);
    }

    @Override
    public void publish(long sequence) {
        ring.publish(sequence);
    }

    @Override
    public void halt() {
        disruptor.halt();
    }

    /** Ready only when its processor can be halted again. */
    private record Adapter<E>(Handler<E> handler, Crew crew) implements EventHandler<E>, LifecycleAware {
        @Override
        public void onEvent(E event, long sequence, boolean endOfBatch) {
            handler.onEvent(event);
        }

        @Override
        public void onStart() {
            crew.ready();
        }

        @Override
        public void onShutdown() {
            // Nothing is open.
        }
    }
}
