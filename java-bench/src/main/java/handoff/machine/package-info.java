/** Where threads run: what the machine is, which CPU each thread gets, and proof that it got it. */
package handoff.machine;
