package handoff.mechanism;

import disruptor3.RingBuffer;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.EventHandlerGroup;
import disruptor3.dsl.ProducerType;

/** Release 3. */
final class Disruptor3Ring<E> extends DisruptorRing<E> {
    private final Disruptor<E> disruptor;
    private final RingBuffer<E> ring;

    Disruptor3Ring(Configuration<E> configuration) {
        disruptor = Release3.open(
                configuration.event()::get,
                configuration.capacity(),
                configuration.team(),
                configuration.producers() == 1 ? ProducerType.SINGLE : ProducerType.MULTI,
                configuration.waiting().release3());
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
