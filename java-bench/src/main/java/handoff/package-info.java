/**
 * The measuring side of Handoff. It knows nothing of Python, plots or the paper: it places threads
 * ({@code machine}), measures honestly ({@code measure}) and holds one room per study.
 */
package handoff;
