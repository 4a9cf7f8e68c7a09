package handoff.scaling;

import handoff.measure.ThreadTeam;
import handoff.mechanism.Wait;
import java.util.List;

/**
 * What a mechanism is made from; it starts one thread of the team per consumer, save the sequential
 * one.
 */
record ScalingSetup(
        List<EventConsumer> consumers,
        int capacity,
        Wait waiting,
        Element element,
        ThreadTeam team) {}
