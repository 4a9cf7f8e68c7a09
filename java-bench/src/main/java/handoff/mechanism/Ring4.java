package handoff.mechanism;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.ExceptionHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.EventHandlerGroup;
import com.lmax.disruptor.dsl.ProducerType;
import handoff.measure.Crew;
import java.util.List;

/** Release 4.0.0. */
final class Ring4<E> extends Ring<E> {
    private final Disruptor<E> disruptor;
    private final RingBuffer<E> ring;

    Ring4(Wiring<E> wiring) {
        disruptor = new Disruptor<>(wiring.event()::get, wiring.capacity(), wiring.crew(),
            wiring.producers() == 1 ? ProducerType.SINGLE : ProducerType.MULTI, wiring.waiting().release4());
        disruptor.setDefaultExceptionHandler(new Report<>(wiring.crew()));
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
    private record Adapter<E>(Handler<E> handler, Crew crew) implements EventHandler<E> {
        @Override
        public void onEvent(E event, long sequence, boolean endOfBatch) {
            handler.onEvent(event);
        }

        @Override
        public void onStart() {
            crew.ready();
        }
    }

    /** An event counts as processed even when its handler threw; the crew remembers. */
    private record Report<E>(Crew crew) implements ExceptionHandler<E> {
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
}
