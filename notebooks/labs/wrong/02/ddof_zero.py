# answer: statistics
# wrong: the standard deviation of a population, of a sample of five
import numpy as np
from scipy import stats


def interval(forks, warmup, level):
    means = [float(np.mean(fork[warmup:])) for fork in forks]
    if len(means) < 3:
        return None
    half = stats.t.ppf((1 + level) / 2, len(means) - 1) * np.std(means) / np.sqrt(len(means))
    return [float(np.mean(means) - half), float(np.mean(means) + half)]


def differ(a, b, warmup):
    one, two = ([np.log(np.mean(fork[warmup:])) for fork in forks] for forks in (a, b))
    return bool(stats.ttest_ind(one, two, equal_var=False).pvalue < 0.05)
