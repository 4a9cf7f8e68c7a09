/**
 * What may be asked for: parameters, their ranges, and the one way to say that something is wrong.
 */
package handoff.input;
