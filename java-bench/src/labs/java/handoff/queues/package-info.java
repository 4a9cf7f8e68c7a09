/** Queues for one producer and one consumer, right ones and wrong ones, and what checks them. */
package handoff.queues;
