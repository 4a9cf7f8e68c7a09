/**
 * Study {@code ladder}: from a blocking queue to the Disruptor, one decision at a time, between one
 * producer and one consumer. Read {@link handoff.ladder.LadderMechanism} first, then the steps in
 * its order.
 */
package handoff.ladder;
