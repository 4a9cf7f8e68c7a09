/**
 * What every study is made of: the rules of its parameters, and the life cycle of its benchmark.
 */
package handoff.study;
