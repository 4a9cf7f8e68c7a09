/** Messages for actors with a state: does it pay to run an actor where it ran before? */
package handoff.actors;
