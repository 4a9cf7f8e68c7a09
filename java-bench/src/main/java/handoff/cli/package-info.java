/** The jar's command line, and the list of all studies. */
package handoff.cli;
