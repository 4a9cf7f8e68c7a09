package handoff.scaling;

import handoff.measure.Crew;
import java.util.List;

/** One way to hand events from the producer to the consumers, open from its construction until {@link #stop}. */
interface Handoff {
    /** Hands over {@code events} events; returns when the last is published. Inside the clock, on the producer's thread. */
    void publish(long events) throws InterruptedException;

    /** Tells the consumers to end once all is consumed; an interrupt follows. */
    void stop();

    /** What a mechanism is made from; it starts one thread of the crew per consumer, save the sequential one. */
    record Scenario(List<EventConsumer> consumers, int capacity, Wait waiting, Element element, Crew crew) {
    }
}
