/**
 * A user's own mechanism: a class outside the jar, loaded from the class path and stress-tested.
 */
package handoff.yours;
