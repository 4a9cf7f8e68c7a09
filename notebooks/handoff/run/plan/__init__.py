"""Sweeps, the points that they ask for, and the places of these on this machine."""
