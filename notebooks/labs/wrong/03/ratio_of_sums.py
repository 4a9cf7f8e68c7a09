# answer: mean
# wrong: the ratio of sums is the ratio at the dearest load
def mean_ratio(pairs):
    return sum(of for of, to in pairs) / sum(to for of, to in pairs)
