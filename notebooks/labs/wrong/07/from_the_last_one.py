# answer: times
# wrong: each event's time is counted from the one before
import math


def due(trace, gap):
    seen = [trace["start"], *trace["seen"]]
    return [b - a - gap for a, b in zip(seen, seen[1:], strict=False)]


def quantile(values, q):
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


def bucketed(values, q):
    return 2 ** max(1, math.ceil(math.log2(max(1, quantile(values, q)))))
