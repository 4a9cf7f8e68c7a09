"""Handoff measures what it costs to hand an event to another core.

Packages, from the ground up; CONTRIBUTING.md says which may import which, and a test enforces it:
catalog, study, registry   what the jar can measure, and how each study describes itself
run       from a sweep to sealed fork files
tables    from fork files to tidy tables, and back
analysis  statistics of forks; knows no study and no claim
draw      what all figures share
claims    claim files, verdicts, their wording, table and figure
studies   one package per study: numbers, figures, sentences
report    numbers, related runs, the paper
web       the same as pages
cli       the command line
Annexes: labs, cluster.
"""
