"""Studies, one package each; `handoff.registry` discovers them by folder."""
