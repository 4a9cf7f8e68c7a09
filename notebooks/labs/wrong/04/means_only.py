# answer: lines
# wrong: an order of means is not yet shown
import numpy as np


def transfers(trace):
    holders, moved = set(), 0
    for core, kind in trace:
        moved += bool(holders) and core not in holders
        holders = {core} if kind == "write" else holders | {core}
    return moved


def which_hold(groups):
    return [bool(np.mean(a) < np.mean(b)) for a, b in zip(groups, groups[1:], strict=False)]
