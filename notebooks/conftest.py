"""Lets pytest find the package beside the notebooks."""
