# answer: lines
# wrong: a write by the core that has the line alone moves nothing
import numpy as np
from scipy import stats


def transfers(trace):
    return sum(kind == "write" for core, kind in trace)


def which_hold(groups):
    p = [
        stats.ttest_ind(np.log(b), np.log(a), equal_var=False, alternative="greater").pvalue
        for a, b in zip(groups, groups[1:], strict=False)
    ]
    shown = [False] * len(p)
    for rank, i in enumerate(np.argsort(p)):
        if p[i] >= 0.05 / (len(p) - rank):
            break
        shown[i] = True
    return shown
