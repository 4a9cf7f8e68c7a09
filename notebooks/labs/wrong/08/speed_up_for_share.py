# answer: functions
# wrong: the speed-up is not the serial share
import numpy as np
from scipy import stats


def interval(one, two):
    test = stats.ttest_ind(np.log(two), np.log(one), equal_var=False)
    return [float(np.exp(end)) for end in test.confidence_interval(0.95)]


def break_even(points):
    found = [(work, *interval(one, two)) for work, one, two in points]
    slower = [work for work, low, _ in found if low > 1]
    faster = [work for work, _, high in found if high < 1]
    return [max(slower, default=None), min(faster, default=None)]


def serial_share(one, two):
    return one / two
