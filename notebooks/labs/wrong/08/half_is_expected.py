# answer: functions
# wrong: compares with twice as fast, not with one thread
import numpy as np
from scipy import stats


def interval(one, two):
    test = stats.ttest_ind(np.log(two), np.log(one), equal_var=False)
    return [float(np.exp(end)) for end in test.confidence_interval(0.95)]


def break_even(points):
    found = [(work, *interval(one, two)) for work, one, two in points]
    slower = [work for work, low, _ in found if low > 0.5]
    faster = [work for work, _, high in found if high < 0.5]
    return [max(slower, default=None), min(faster, default=None)]


def serial_share(one, two):
    return 2 * two / one - 1
