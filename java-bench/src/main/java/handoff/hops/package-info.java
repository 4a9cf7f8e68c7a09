/**
 * The cost of handing over a cache line between every pair of cores, and of the primitives: not
 * from a source, but the components of every other study's numbers.
 */
package handoff.hops;
