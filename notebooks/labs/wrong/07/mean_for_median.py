# answer: times
# wrong: the mean is no quantile
import math


def due(trace, gap):
    return [seen - (trace["start"] + (i + 1) * gap) for i, seen in enumerate(trace["seen"])]


def quantile(values, q):
    return sum(values) / len(values) if q == 0.5 else sorted(values)[int(q * len(values))]


def bucketed(values, q):
    return 2 ** max(1, math.ceil(math.log2(max(1, quantile(values, q)))))
