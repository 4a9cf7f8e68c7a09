/** Correct and faulty queues for one producer and one consumer, and their checks. */
package handoff.queues;
