"""Handoff measures what it costs to hand an event to another core; CONTRIBUTING.md has its map."""
