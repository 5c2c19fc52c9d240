"""Zero-sum games by a skew-symmetric interior point: the equilibrium of largest support.

For a skew-symmetric K and simplices marked by E, the optimality conditions of both players are one and the same system
p ≥ 0, s = E v - K p ≥ 0, p · s = 0, Eᵀ p = 1, so that one linear system a step moves them together. The path that keeps
p · s equal leads to a strictly complementary solution (Goldman and Tucker 1956): its support is the largest that any
equilibrium has. Predictor and corrector as in Mehrotra (1992), SIAM J. Optimization 2.
"""

from __future__ import annotations

import numpy as np

from leaderboards.arrays import FloatArray, TableError

_STEPS = 100
_GAP = 1e-15


def equilibrium(skew_NN: FloatArray, simplex_NG: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A strictly complementary equilibrium of a zero-sum game, to about 1e-14.

    Args:
        skew_NN: the game, antisymmetric, entries of size at most about 1.
        simplex_NG: 1 where strategy N belongs to mixture G, else 0; each mixture sums to 1.

    Returns:
        (p_N, s_N): mixtures, and what each strategy falls short of the best reply; one of each pair is (nearly) 0.

    Raises:
        TableError: the numbers are so ill-conditioned that no equilibrium was found.
    """
    p, value_G = simplex_NG @ (1 / simplex_NG.sum(axis=0)), np.zeros(simplex_NG.shape[1])
    value_G += float(np.abs(skew_NN @ p).max()) + 1.0
    s = simplex_NG @ value_G - skew_NN @ p
    for _ in range(_STEPS):
        gap = float(p @ s) / len(p)
        if gap < _GAP / len(p) or np.minimum(p, s).max() < _GAP:
            return p, s
        step_p, step_s = _step(skew_NN, simplex_NG, p, s, gap)
        length = min(1.0, 0.9995 * _reach(p, step_p), 0.9995 * _reach(s, step_s))
        p, s = p + length * step_p, s + length * step_s
    raise TableError("no equilibrium was found: the table's numbers differ by too many orders of magnitude")


def _step(
    skew_NN: FloatArray, simplex_NG: FloatArray, p: FloatArray, s: FloatArray, gap: float
) -> tuple[FloatArray, FloatArray]:
    """Mehrotra's step: what a full step to zero would reach decides how far to centre."""
    from scipy.linalg import lu_factor, lu_solve

    n, g = simplex_NG.shape
    system = np.zeros((n + g, n + g))
    system[:n, :n] = np.diag(s / p) - skew_NN
    system[:n, n:], system[n:, :n] = simplex_NG, simplex_NG.T
    factors = lu_factor(system, overwrite_a=True, check_finite=False)

    def solve(target_N: FloatArray) -> tuple[FloatArray, FloatArray]:
        drift_G = 1.0 - simplex_NG.T @ p  # rounding only: every step keeps the sums
        found = lu_solve(factors, np.concatenate([target_N / p, drift_G]), check_finite=False)
        return found[:n], (target_N - s * found[:n]) / p

    ahead_p, ahead_s = solve(-p * s)
    length_p, length_s = min(1.0, _reach(p, ahead_p)), min(1.0, _reach(s, ahead_s))
    ahead = float((p + length_p * ahead_p) @ (s + length_s * ahead_s)) / n
    return solve((ahead / gap) ** 3 * gap - p * s - ahead_p * ahead_s)


def _reach(point: FloatArray, step: FloatArray) -> float:
    """How far one can go along ``step`` until a coordinate of ``point`` is zero."""
    shrinking = step < 0
    return float(np.min(-point[shrinking] / step[shrinking], initial=np.inf))
