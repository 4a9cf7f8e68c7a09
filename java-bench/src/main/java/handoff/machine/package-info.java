/** The machine, the CPU that each thread gets, and the proof that it got it. */
package handoff.machine;
