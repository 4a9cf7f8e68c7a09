package handoff.scaling;

import disruptor3.EventTranslator;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.ProducerType;
import handoff.mechanism.Handoff;
import handoff.mechanism.Release3;
import handoff.work.Event;

/** Base of both readings of the paper's Disruptor: ring, single producer, translator. */
abstract class DisruptorHandoff implements Handoff {
    private static final EventTranslator<Event> FILL = (event, sequence) -> event.value = sequence;

    private final Disruptor<Event> disruptor;

    DisruptorHandoff(ScalingSetup setup) {
        disruptor = Release3.open(
                () -> new Event(-1),
                setup.capacity(),
                setup.team(),
                ProducerType.SINGLE,
                setup.waiting().release3());
        attach(disruptor, setup);
        disruptor.start();
    }

    /** Adds one handler per consumer. */
    abstract void attach(Disruptor<Event> ring, ScalingSetup setup);

    @Override
    public void publish(long events) {
        for (long i = 0; i < events; i++) {
            disruptor.publishEvent(FILL);
        }
    }

    @Override
    public void stop() {
        disruptor.halt();
    }
}
