# answer: statistics
# wrong: the test takes every shot for itself
import numpy as np
from scipy import stats


def interval(forks, warmup, level):
    means = [float(np.mean(fork[warmup:])) for fork in forks]
    if len(means) < 3:
        return None
    half = stats.t.ppf((1 + level) / 2, len(means) - 1) * stats.sem(means)
    return [float(np.mean(means) - half), float(np.mean(means) + half)]


def differ(a, b, warmup):
    one, two = ([np.log(shot) for fork in forks for shot in fork[warmup:]] for forks in (a, b))
    return bool(stats.ttest_ind(one, two, equal_var=False).pvalue < 0.05)
