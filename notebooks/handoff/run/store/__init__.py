"""The folder of a run: identity, fork files, their states, sessions and provenance."""
