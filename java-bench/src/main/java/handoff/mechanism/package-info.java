/**
 * Building blocks that several studies share: queues and their consumers, idle strategies, both
 * releases of the Disruptor, thread pools and actors.
 */
package handoff.mechanism;
