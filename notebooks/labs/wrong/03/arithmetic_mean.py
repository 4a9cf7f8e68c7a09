# answer: mean
# wrong: the arithmetic mean of ratios depends on which is divided by which
def mean_ratio(pairs):
    return sum(of / to for of, to in pairs) / len(pairs)
