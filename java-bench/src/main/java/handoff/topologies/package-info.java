/**
 * The five wirings of the Disruptor's published throughput, by queues and by both releases of the
 * Disruptor.
 */
package handoff.topologies;
