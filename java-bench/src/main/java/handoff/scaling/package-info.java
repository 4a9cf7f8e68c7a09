/**
 * Study {@code scaling}, from the paper: one producer hands events to n consumers, each event to
 * exactly one. Read {@link handoff.scaling.ScalingBenchmark} first, then the mechanisms.
 */
package handoff.scaling;
