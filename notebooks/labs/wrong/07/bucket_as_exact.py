# answer: times
# wrong: a bucket's upper bound is printed as if it were exact
import math


def due(trace, gap):
    return [seen - (trace["start"] + (i + 1) * gap) for i, seen in enumerate(trace["seen"])]


def quantile(values, q):
    exact = sorted(values)[max(0, math.ceil(q * len(values)) - 1)]
    return 2 ** max(1, math.ceil(math.log2(exact)))


def bucketed(values, q):
    return 2 ** max(1, math.ceil(math.log2(max(1, quantile(values, q)))))
