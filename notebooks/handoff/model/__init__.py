"""Annex: a simulation of hand-overs at the level of cache lines.

It measures and judges nothing, and no other package imports it.
"""
