package handoff.scaling;

import disruptor3.EventTranslator;
import disruptor3.LifecycleAware;
import disruptor3.dsl.Disruptor;
import disruptor3.dsl.ProducerType;
import handoff.measure.Crew;
import handoff.mechanism.Handoff;
import handoff.mechanism.Report3;

/** What both readings of the paper's Disruptor share: ring, single producer, translator. */
abstract class DisruptorHandoff implements Handoff {
    private static final EventTranslator<Event> FILL = (event, sequence) -> event.value = sequence;

    private final Disruptor<Event> disruptor;

    DisruptorHandoff(Scenario scenario) {
        disruptor = new Disruptor<>(() -> new Event(-1), scenario.capacity(), scenario.crew(), ProducerType.SINGLE,
            scenario.waiting().release3());
        disruptor.setDefaultExceptionHandler(new Report3<>(scenario.crew()));
        attach(disruptor, scenario);
        disruptor.start();
    }

    /** Adds one handler per consumer. */
    abstract void attach(Disruptor<Event> ring, Scenario scenario);

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

    /** A handler that runs one consumer, ready only when its processor can be halted again. */
    abstract static class Handler implements LifecycleAware {
        final EventConsumer consumer;
        private final Crew crew;

        Handler(EventConsumer consumer, Crew crew) {
            this.consumer = consumer;
            this.crew = crew;
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
