"""Studies, one package each; `handoff.study` discovers them by folder."""
