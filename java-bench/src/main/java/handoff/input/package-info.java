/** Parameters, their ranges, and the exception that reports a user's mistake. */
package handoff.input;
