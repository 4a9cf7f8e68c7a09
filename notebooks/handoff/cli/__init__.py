"""The command line: requests, stages, notebooks, progress."""
