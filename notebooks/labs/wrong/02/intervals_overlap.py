# answer: statistics
# wrong: equal as long as the intervals overlap: too weak a test
import numpy as np
from scipy import stats


def interval(forks, warmup, level):
    means = [float(np.mean(fork[warmup:])) for fork in forks]
    if len(means) < 3:
        return None
    half = stats.t.ppf((1 + level) / 2, len(means) - 1) * stats.sem(means)
    return [float(np.mean(means) - half), float(np.mean(means) + half)]


def differ(a, b, warmup):
    one, two = interval(a, warmup, 0.95), interval(b, warmup, 0.95)
    return bool(one[1] < two[0] or two[1] < one[0])
