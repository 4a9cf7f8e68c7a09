/**
 * The cost of incrementing one number: plain, volatile, by compare-and-set, under a lock; by one
 * thread and by two.
 */
package handoff.counters;
