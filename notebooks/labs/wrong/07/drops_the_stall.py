# answer: times
# wrong: the stall is left out as an outlier
import math


def due(trace, gap):
    late = [seen - (trace["start"] + (i + 1) * gap) for i, seen in enumerate(trace["seen"])]
    return [each for each in late if each < 10 * gap]


def quantile(values, q):
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


def bucketed(values, q):
    return 2 ** max(1, math.ceil(math.log2(max(1, quantile(values, q)))))
