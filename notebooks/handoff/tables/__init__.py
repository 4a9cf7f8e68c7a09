"""Tidy tables made from fork files, and traces from results back to fork files."""
