/**
 * A ring of nodes that pass tokens on: the cost of a thread per node, and of a few threads for all.
 */
package handoff.ring;
