/**
 * The executors post's study: a million small tasks, and eleven and more ways to give them to
 * threads.
 */
package handoff.executors;
