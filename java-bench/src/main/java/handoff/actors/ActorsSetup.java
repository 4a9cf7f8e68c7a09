package handoff.actors;

import handoff.measure.ThreadTeam;

/** What a mechanism is made from. */
record ActorsSetup(ActorGroup group, int workers, Route route, ThreadTeam team) {}
