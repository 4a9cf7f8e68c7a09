"""A log-linear model of points: each value of each parameter multiplies what is measured by its own
factor. For grids in which no two points differ in one parameter alone.
"""

import math
from collections.abc import Mapping

import numpy as np

from handoff.analysis.contrast import Estimate

Setting = tuple[object, ...]
TOLERANCE = 1e-9


def estimate_change(
    means: Mapping[Setting, float], place: int, base: object, value: object
) -> Estimate | None:
    """The logarithm of the factor from `base` to `value` of the parameter at `place`, by least
    squares over the points' mean logarithms.

    What factors do not explain, forks' noise and interactions alike, is its error, with points
    minus factors degrees of freedom; where none is left the error is nan. None where the points do
    not tell this change from another parameter's.
    """
    settings = list(means)
    levels = [
        (i, level)
        for i in range(len(settings[0]) if settings else 0)
        for level in dict.fromkeys(setting[i] for setting in settings)
    ]
    if not {(place, base), (place, value)} <= set(levels):
        return None
    design = np.array([[setting[i] == level for i, level in levels] for setting in settings], float)
    wanted = np.array(
        [((place, value) == each) - ((place, base) == each) for each in levels], float
    )
    inverse = np.linalg.pinv(design)
    if np.abs(wanted @ inverse @ design - wanted).max() > TOLERANCE:
        return None
    logs = np.array([means[setting] for setting in settings])
    factors = inverse @ logs
    free = len(logs) - int(np.linalg.matrix_rank(design))
    log = float(wanted @ factors)
    if free == 0:
        return Estimate(log, math.nan, math.nan, len(logs))
    residual = ((logs - design @ factors) ** 2).sum() / free
    error = math.sqrt(residual * float((wanted @ inverse) @ (wanted @ inverse)))
    return Estimate(log, error, float(free), len(logs))
