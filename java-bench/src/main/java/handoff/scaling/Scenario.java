package handoff.scaling;

import handoff.measure.Crew;
import handoff.mechanism.Wait;
import java.util.List;

/** What a mechanism is made from; it starts one thread of the crew per consumer, save the sequential one. */
record Scenario(List<EventConsumer> consumers, int capacity, Wait waiting, Element element, Crew crew) {
}
