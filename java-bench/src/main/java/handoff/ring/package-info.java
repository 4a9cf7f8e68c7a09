/**
 * A ring of nodes that pass tokens on: what does it cost to give each node a thread, or all of them
 * a few?
 */
package handoff.ring;
