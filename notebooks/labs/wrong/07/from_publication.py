# answer: times
# wrong: counts from when an event was published, not from when it was due
import math


def due(trace, gap):
    return [s - p for s, p in zip(trace["seen"], trace["published"], strict=True)]


def quantile(values, q):
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


def bucketed(values, q):
    return 2 ** max(1, math.ceil(math.log2(max(1, quantile(values, q)))))
