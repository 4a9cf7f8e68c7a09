/**
 * The five wirings of the Disruptor's published throughput, with queues and with both releases of
 * the Disruptor.
 */
package handoff.topologies;
