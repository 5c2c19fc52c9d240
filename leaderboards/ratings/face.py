"""The distribution of greatest entropy on a face of equilibria: {p : equal p = 0, below p ≤ 0, sum p = 1, p ≥ 0}."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leaderboards.arrays import BoolArray, FloatArray

_RESOLUTIONS = (1e-9, 1e-12, 1e-15)  # singular values below this share of the largest count as zero
_EXACT = 1e-13
_STEPS = 100
_TIGHT = 1e-5  # an inequality with less slack than this is tried as an equation


@dataclass(frozen=True)
class _Face:
    """The face in K free coordinates z: p = origin + basis z (S,), slack = room - steep z (T,)."""

    origin: FloatArray
    basis: FloatArray
    room: FloatArray
    steep: FloatArray
    weight: FloatArray

    def point(self, z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(p, slack) at z."""
        return self.origin + self.basis @ z, self.room - self.steep @ z

    def slope(self, z: FloatArray, price_T: FloatArray) -> FloatArray:
        """Gradient of minus the entropy plus price · (steep z) at z (K,)."""
        slope: FloatArray = self.basis.T @ (np.log(self.point(z)[0] / self.weight) + 1) + self.steep.T @ price_T
        return slope


def most_even(
    start_S: FloatArray, equal_QS: FloatArray, below_TS: FloatArray, weight_S: FloatArray
) -> FloatArray | None:
    """Maximise the entropy -Σ p log(p / weight) over the face.

    Rows that differ by less than 1e-9 are taken for equal if a point of the wider face that this makes still satisfies
    every row to 1e-13; else finer differences count. None where double precision resolves no face at all.

    Args:
        start_S: a point of the face's interior, up to rounding.
        equal_QS: rows whose product with p is 0.
        below_TS: rows whose product with p is at most 0, and below it at ``start_S``.
        weight_S: how many equal strategies each coordinate counts as.
    """
    for resolution in _RESOLUTIONS:
        p = _attempt(start_S, equal_QS, below_TS, weight_S, resolution)
        if p is not None and _violation(p, equal_QS, below_TS) <= _EXACT:
            return p
    return None


def _attempt(
    start_S: FloatArray, equal_QS: FloatArray, below_TS: FloatArray, weight_S: FloatArray, resolution: float
) -> FloatArray | None:
    """The optimum, or None where rounding has left no point inside the face."""
    face = _face(start_S, equal_QS, below_TS, weight_S, resolution)
    if face.origin.min() <= 0 or np.min(face.room, initial=1.0) <= 0:
        return None
    if face.basis.shape[1] == 0:
        return _normalised(face.origin)
    z = _newton(face)
    if z is None:
        return None
    inner_S, slack_T = face.point(z)
    p = _polished(inner_S, equal_QS, below_TS, weight_S, slack_T < _TIGHT, resolution)
    return _normalised(p)


def _normalised(p: FloatArray) -> FloatArray:
    total: FloatArray = p / p.sum()
    return total


def _violation(p: FloatArray, equal_QS: FloatArray, below_TS: FloatArray) -> float:
    return max(float(np.abs(equal_QS @ p).max(initial=0.0)), float((below_TS @ p).max(initial=0.0)))


def _polished(
    inner_S: FloatArray,
    equal_QS: FloatArray,
    below_TS: FloatArray,
    weight_S: FloatArray,
    tight_T: BoolArray,
    resolution: float,
) -> FloatArray:
    """The optimum where tight inequalities are equations, which is exact; ``inner_S`` where that guess is wrong."""
    if not tight_T.any():
        return inner_S
    edge = _face(inner_S, np.vstack([equal_QS, below_TS[tight_T]]), below_TS[:0], weight_S, resolution)
    if edge.origin.min() <= 0:
        return inner_S
    z = _newton(edge) if edge.basis.shape[1] else np.zeros(0)
    if z is None:
        return inner_S
    exact_S = edge.point(z)[0]
    inside = (below_TS @ exact_S).max() <= 1e-14
    return exact_S if inside and _evenness(exact_S, weight_S) >= _evenness(inner_S, weight_S) - 1e-9 else inner_S


def _face(
    start_S: FloatArray, equal_QS: FloatArray, below_TS: FloatArray, weight_S: FloatArray, resolution: float
) -> _Face:
    """The point of the affine hull nearest to ``start_S``, with an orthonormal basis of its directions."""
    from scipy.linalg import svd

    rows = np.vstack([equal_QS, np.ones((1, len(start_S)))])
    missing = -rows @ start_S
    missing[-1] += 1.0
    left, size, right = svd(rows, check_finite=False)
    rank = int((size > resolution * size[0]).sum())
    origin = start_S + right[:rank].T @ ((left[:, :rank].T @ missing) / size[:rank])
    basis = np.ascontiguousarray(right[rank:].T)
    return _Face(origin, basis, -below_TS @ origin, below_TS @ basis, weight_S)


def _newton(face: _Face) -> FloatArray | None:
    """Primal-dual Newton: slope of the Lagrangian to zero, slack · price to a target that shrinks with it.

    None where it doesn't converge.
    """
    z, price_T = np.zeros(face.basis.shape[1]), 0.01 / np.maximum(face.room, 0.01)
    crawled = 0  # steps in a row that hardly got anywhere: the face is too thin to be walked
    for _ in range(_STEPS):
        gap = float(face.point(z)[1] @ price_T) / max(1, len(price_T))
        try:
            step_z, step_price = _direction(face, z, price_T, 0.1 * gap)
        except np.linalg.LinAlgError:  # the curvature's numbers are too far apart to be solved for
            return None
        length = _length(face, z, price_T, step_z, step_price, 0.1 * gap)
        crawled = crawled + 1 if length < 1e-2 else 0
        if length == 0.0 or crawled == 5 or (gap < 1e-13 and np.abs(face.slope(z, price_T)).max() < 1e-12):
            break
        z, price_T = z + length * step_z, price_T + length * step_price
    return z if gap < 1e-7 and np.abs(face.slope(z, price_T)).max() < 1e-7 else None


def _length(
    face: _Face, z: FloatArray, price_T: FloatArray, step_z: FloatArray, step_price: FloatArray, target: float
) -> float:
    """The longest step of a falling series that stays inside and makes the residuals smaller; 0 where none does."""
    size = np.linalg.norm(_residuals(face, z, price_T, target))
    length = 1.0
    while length > 1e-6:
        new_z, new_price = z + length * step_z, price_T + length * step_price
        p, slack = face.point(new_z)
        inside = p.min() > 0 and np.min(slack, initial=1.0) > 0 and np.min(new_price, initial=1.0) > 0
        if inside and np.linalg.norm(_residuals(face, new_z, new_price, target)) <= (1 - 0.01 * length) * size:
            return length
        length *= 0.5
    return 0.0


def _direction(face: _Face, z: FloatArray, price_T: FloatArray, target: float) -> tuple[FloatArray, FloatArray]:
    p, slack = face.point(z)
    pull_T = target / slack
    curve = face.basis.T @ (face.basis / p[:, None])
    curve += face.steep.T @ (face.steep * (price_T / slack)[:, None])
    step_z = -np.asarray(np.linalg.solve(curve, face.slope(z, pull_T)), dtype=np.float64)
    return step_z, pull_T - price_T + price_T / slack * (face.steep @ step_z)


def _residuals(face: _Face, z: FloatArray, price_T: FloatArray, target: float) -> FloatArray:
    return np.concatenate([face.slope(z, price_T), face.point(z)[1] * price_T - target])


def _evenness(p: FloatArray, weight_S: FloatArray) -> float:
    return float(-(p * np.log(p / weight_S)).sum())
