"""Handoff: what does it cost to hand an event to another core?

Rooms, from the ground up; what may import what is in CONTRIBUTING.md, and a test enforces it:
catalog, study, registry   what the jar can measure, and what each study says of itself
run       from a sweep to sealed fork files
tables    from fork files to tidy tables, and back
analysis  statistics of forks; knows no study and no claim
draw      what all figures share
claims    claim files, verdicts, their sentences, table and figure
studies   one room per study: numbers, figures, sentences
report    numbers, related runs, the paper
cli       the command line
"""
