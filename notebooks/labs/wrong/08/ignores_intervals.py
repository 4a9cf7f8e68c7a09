# answer: functions
# wrong: goes by means alone, as if five forks knew the truth
import numpy as np
from scipy import stats


def interval(one, two):
    test = stats.ttest_ind(np.log(two), np.log(one), equal_var=False)
    return [float(np.exp(end)) for end in test.confidence_interval(0.95)]


def break_even(points):
    found = [(work, np.mean(two) / np.mean(one)) for work, one, two in points]
    slower = [work for work, ratio in found if ratio > 1]
    faster = [work for work, ratio in found if ratio < 1]
    return [max(slower, default=None), min(faster, default=None)]


def serial_share(one, two):
    return 2 * two / one - 1
