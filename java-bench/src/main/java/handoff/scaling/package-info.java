/**
 * Study {@code scaling}, the paper's: one producer hands events to n consumers, each event to
 * exactly one. Read {@link handoff.scaling.Scaling} first, then the mechanisms.
 */
package handoff.scaling;
