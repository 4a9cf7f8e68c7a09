"""The command line: requests, stages, notebooks, progress.

The web pages take seconds to load: the functions that need them import them.
"""
