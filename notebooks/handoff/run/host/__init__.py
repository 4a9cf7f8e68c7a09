"""The machine that measures: its description, readiness, lock and child processes."""
