package handoff.scaling;

import handoff.measure.ThreadTeam;
import handoff.mechanism.Wait;
import handoff.work.EventConsumer;
import java.util.List;

/**
 * The parts of a mechanism. Each mechanism but the sequential one starts a thread of the team per
 * consumer.
 */
record ScalingSetup(
        List<EventConsumer> consumers,
        int capacity,
        Wait waiting,
        Element element,
        ThreadTeam team) {}
