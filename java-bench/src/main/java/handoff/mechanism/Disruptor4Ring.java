package handoff.mechanism;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.EventHandlerGroup;
import com.lmax.disruptor.dsl.ProducerType;

/** Release 4.0.0. */
final class Disruptor4Ring<E> extends DisruptorRing<E> {
    private final Disruptor<E> disruptor;
    private final RingBuffer<E> ring;

    Disruptor4Ring(Configuration<E> configuration) {
        disruptor = new Disruptor<>(
                configuration.event()::get,
                configuration.capacity(),
                configuration.team(),
                configuration.producers() == 1 ? ProducerType.SINGLE : ProducerType.MULTI,
                configuration.waiting().release4());
        disruptor.setDefaultExceptionHandler(new FailureReporter<>(configuration.team()));
        configuration.wire(disruptor::handleEventsWith, EventHandlerGroup::then);
        ring = disruptor.start();
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
}
