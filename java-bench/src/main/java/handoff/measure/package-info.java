/** How a shot is measured, whatever the study: clocks, crew, exactly-once check, evidence. */
package handoff.measure;
