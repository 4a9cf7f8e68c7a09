/** How long an event takes through a pipeline below saturation, stage by stage. */
package handoff.latency;
