/** The base of every study: the rules of its parameters and the life cycle of its benchmark. */
package handoff.study;
