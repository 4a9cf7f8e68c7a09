"""Grading: what a teacher uses. Reads packs as what a stranger may have made."""
