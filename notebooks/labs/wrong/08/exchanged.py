# answer: functions
# wrong: one and two are exchanged
import numpy as np
from scipy import stats


def interval(one, two):
    test = stats.ttest_ind(np.log(two), np.log(one), equal_var=False)
    return [float(np.exp(end)) for end in test.confidence_interval(0.95)]


def break_even(points):
    found = [(work, *interval(two, one)) for work, one, two in points]
    slower = [work for work, low, _ in found if low > 1]
    faster = [work for work, _, high in found if high < 1]
    return [max(slower, default=None), min(faster, default=None)]


def serial_share(one, two):
    return 2 * two / one - 1
