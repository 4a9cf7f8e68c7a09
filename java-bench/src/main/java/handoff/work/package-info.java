/** The paper's events, and what a consumer does with one: studies that share them share a load. */
package handoff.work;
