package handoff.actors;

import handoff.measure.ThreadTeam;

/** The parts of a mechanism. */
record ActorsSetup(ActorGroup group, int workers, Route route, ThreadTeam team) {}
