/**
 * What one hand-over of a cache line costs between every pair of cores, and what the primitives
 * cost beside it: no source, but what every other study's numbers are made of.
 */
package handoff.hops;
