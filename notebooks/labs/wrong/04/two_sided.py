# answer: lines
# wrong: a two-sided test calls an order shown that is the other way round
import numpy as np
from scipy import stats


def transfers(trace):
    holders, moved = set(), 0
    for core, kind in trace:
        moved += bool(holders) and core not in holders
        holders = {core} if kind == "write" else holders | {core}
    return moved


def which_hold(groups):
    p = [
        stats.ttest_ind(np.log(b), np.log(a), equal_var=False).pvalue
        for a, b in zip(groups, groups[1:], strict=False)
    ]
    shown = [False] * len(p)
    for rank, i in enumerate(np.argsort(p)):
        if p[i] >= 0.05 / (len(p) - rank):
            break
        shown[i] = True
    return shown
