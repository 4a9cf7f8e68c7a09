"""Lets pytest find the package next to the notebooks."""
