/**
 * What several studies hand over with: blocking queues with their threads, and the Disruptor's two
 * releases under one name.
 */
package handoff.mechanism;
