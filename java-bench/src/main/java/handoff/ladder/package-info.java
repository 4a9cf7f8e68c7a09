/**
 * Study {@code ladder}: from a blocking queue to the Disruptor, one decision at a time, between one
 * producer and one consumer. Read {@link handoff.ladder.LadderMechanism} first, then the steps in
 * its order. A step repeats the code that it does not change, so that it is read alone.
 */
package handoff.ladder;
