/**
 * Study {@code executors}, from the executors post: a million small tasks, and the ways to hand
 * them to threads.
 */
package handoff.executors;
