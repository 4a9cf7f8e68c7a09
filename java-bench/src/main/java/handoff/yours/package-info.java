/** A mechanism of one's own: one class outside the jar, loaded by class path, and tried hard. */
package handoff.yours;
