"""The machine that measures: what it is, whether it is ready, its lock and its processes."""
