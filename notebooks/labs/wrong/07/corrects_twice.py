# answer: times
# wrong: adds what is missing to numbers that miss nothing
import math


def due(trace, gap):
    late = [seen - (trace["start"] + (i + 1) * gap) for i, seen in enumerate(trace["seen"])]
    return late + [each - gap for each in late if each > gap]


def quantile(values, q):
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]


def bucketed(values, q):
    return 2 ** max(1, math.ceil(math.log2(max(1, quantile(values, q)))))
