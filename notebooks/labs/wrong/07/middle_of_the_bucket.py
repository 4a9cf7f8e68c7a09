# answer: times
# wrong: the bucket's middle, where its upper bound was asked
import math


def due(trace, gap):
    return [seen - (trace["start"] + (i + 1) * gap) for i, seen in enumerate(trace["seen"])]


def quantile(values, q):
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


def bucketed(values, q):
    return 0.75 * 2 ** max(1, math.ceil(math.log2(max(1, quantile(values, q)))))
