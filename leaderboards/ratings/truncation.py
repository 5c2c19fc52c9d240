"""A normal variable of which one knows that it lies above a margin, or within it: how its mean and variance change."""

from __future__ import annotations

import numpy as np

from leaderboards.arrays import FloatArray


def won(lead: FloatArray, margin: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(V, W): for N(lead, 1) above ``margin`` the mean grows by V and the variance falls by W (to 1 - W)."""
    from scipy.special import log_ndtr

    excess = np.asarray(lead - margin, dtype=np.float64)
    # In logarithms, so that an upset however great stays finite.
    v = np.exp(-(excess**2) / 2 - 0.5 * np.log(2 * np.pi) - log_ndtr(excess))
    return v, v * (v + excess)


def drawn(lead: FloatArray, margin: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(V, W): the same for N(lead, 1) between -margin and margin."""
    from scipy.special import log_ndtr

    size, sign = np.abs(lead), np.where(np.asarray(lead) < 0, -1.0, 1.0)
    low, high = -margin - size, margin - size
    log_mass = log_ndtr(high) + np.log(-np.expm1(np.minimum(log_ndtr(low) - log_ndtr(high), -1e-300)))
    at_low, at_high = (np.exp(-(x**2) / 2 - 0.5 * np.log(2 * np.pi) - log_mass) for x in (low, high))
    v = at_low - at_high
    return sign * v, v**2 + high * at_high - low * at_low
