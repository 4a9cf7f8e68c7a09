/** Measuring a shot, in any study: clocks, team, exactly-once check, evidence. */
package handoff.measure;
