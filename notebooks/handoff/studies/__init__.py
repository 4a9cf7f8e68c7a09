"""One room per study; handoff.registry finds them by folder."""
