"""The command line: requests, stages, notebooks, progress.

Statistics, tables and drawing take seconds to load. The functions that need them import them, so
that the other commands need not wait.
"""
