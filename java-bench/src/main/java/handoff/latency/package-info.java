/** The time that an event takes through a pipeline below saturation, stage by stage. */
package handoff.latency;
