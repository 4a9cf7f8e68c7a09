/** How a shot is measured, whatever the study: clocks, team, exactly-once check, evidence. */
package handoff.measure;
