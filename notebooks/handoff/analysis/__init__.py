"""Statistics of forks: means, contrasts, sessions, sweeps, warm-up and comparisons of runs.

They know no study and no claim.
"""
