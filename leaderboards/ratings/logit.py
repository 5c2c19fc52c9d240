"""The logit equilibrium of a symmetric zero-sum game: temperature · log p = A p - c.

As the temperature falls it tends to the equilibrium of greatest entropy (McKelvey and Palfrey 1995, Games and Economic
Behavior 10, for the equilibrium; the entropy term makes the limit unique), which also makes it an independent check.
"""

from __future__ import annotations

import numpy as np

from leaderboards.arrays import FloatArray, TableError


def logit_equilibrium(table_NN: FloatArray, temperature: float, weight_N: FloatArray | None = None) -> FloatArray:
    """The mixture p with p ∝ weight · exp(A p / temperature), (N,).

    Args:
        table_NN: antisymmetric.
        temperature: above 0, in units of the table.
        weight_N: how many equal strategies each one counts as; 1 where not given.

    Raises:
        TableError: Newton's method does not converge: the temperature is too low for these numbers.
    """
    scale = float(np.abs(table_NN).max())
    log_weight = np.zeros(len(table_NN)) if weight_N is None else np.log(weight_N)
    log_p = log_weight - np.log(np.exp(log_weight).sum())
    level, fall = 2.0 * max(temperature, scale), 0.5
    while level > temperature:
        lower = max(temperature, level * fall)
        found, error = _solve(table_NN, lower, log_p, log_weight)
        if error < max(1e-10 * lower, 2e-15 * scale):
            log_p, level, fall = found, lower, max(fall**2, 0.01)
        else:
            fall = fall**0.5  # follow the path in smaller steps
        if fall > 0.999:
            raise TableError(f"no equilibrium at temperature {temperature:g}; take a higher one, or 0 for the limit")
    p: FloatArray = np.exp(log_p)
    return p


def _solve(
    table_NN: FloatArray, temperature: float, log_p: FloatArray, log_weight: FloatArray
) -> tuple[FloatArray, float]:
    """Damped Newton in log p, with the normalising constant as one more unknown; the point and its residual."""
    shift_N = temperature * log_weight
    point = np.append(log_p, np.mean(table_NN @ np.exp(log_p) - temperature * log_p))
    residual = _residual(table_NN, temperature, point, shift_N)
    for _ in range(60):
        step, length = -np.linalg.solve(_slope(table_NN, temperature, point), residual), 1.0
        after = _residual(table_NN, temperature, point + step, shift_N)
        while np.linalg.norm(after) >= np.linalg.norm(residual) and length > 1e-4:
            length /= 2
            after = _residual(table_NN, temperature, point + length * step, shift_N)
        if length <= 1e-4:
            break
        point, residual = point + length * step, after
    log_p = point[:-1] - np.log(np.exp(point[:-1]).sum())
    return log_p, float(np.abs(residual).max())


def _residual(table_NN: FloatArray, temperature: float, point: FloatArray, shift_N: FloatArray) -> FloatArray:
    p = np.exp(np.minimum(point[:-1], 50.0))
    gap_N = temperature * point[:-1] - shift_N - table_NN @ p + point[-1]
    return np.concatenate([gap_N, [temperature * (p.sum() - 1.0)]])


def _slope(table_NN: FloatArray, temperature: float, point: FloatArray) -> FloatArray:
    n, p = len(table_NN), np.exp(np.minimum(point[:-1], 50.0))
    slope = np.ones((n + 1, n + 1))
    slope[:n, :n] = temperature * np.eye(n) - table_NN * p
    slope[n, :n], slope[n, n] = temperature * p, 0.0
    return slope
