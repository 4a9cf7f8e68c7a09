/**
 * The measuring side of Handoff: it places threads ({@code machine}), measures ({@code measure})
 * and has one package per study. It knows nothing of Python, plots or the paper.
 */
package handoff;
