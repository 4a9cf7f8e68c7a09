/** Messages for actors with state: whether it pays to run an actor where it ran before. */
package handoff.actors;
