"""A model of hand-overs at the level of cache lines. It measures nothing, and judges nothing."""
