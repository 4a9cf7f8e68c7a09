"""Statistics of forks: means, contrasts, power, change points, comparisons.

Knows no study and no claim.
"""
