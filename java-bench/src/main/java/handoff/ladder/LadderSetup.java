package handoff.ladder;

import handoff.measure.ThreadTeam;
import handoff.work.EventConsumer;

/** The parts of a mechanism, which starts the consumer's thread, unless it works alone. */
record LadderSetup(EventConsumer consumer, int capacity, ThreadTeam team) {}
