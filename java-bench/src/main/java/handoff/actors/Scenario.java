package handoff.actors;

import handoff.measure.Crew;

/** What a mechanism is made from. */
record Scenario(Stage stage, int workers, Route route, Crew crew) {
}
