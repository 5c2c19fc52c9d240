"""Paired comparisons with ties: Davidson's likelihood on counts, and Newton's method for its maximum.

Davidson (1970), JASA 65: with log-strengths θ and δ = θ_first - θ_second + γ, where γ is the worth of sitting first,
win : loss : draw = exp(δ/2) : exp(-δ/2) : ν. Without draws this is Bradley and Terry (1952), Biometrika 39.
The log-likelihood is concave in (θ, log ν, γ); a normal prior makes its maximum finite whatever the results.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leaderboards.arrays import FloatArray, IntArray, TableError, sums, table_of
from leaderboards.ratings.counts import Counts

_STEPS = 200


@dataclass(frozen=True)
class Model:
    """Which parameters there are beside θ, and how strongly zero is believed of each."""

    n: int
    ties: bool
    """Whether log ν is estimated; else draws are taken for half a win."""
    seat: bool
    """Whether the first seat's advantage γ is estimated."""
    precision: float
    """Of the normal prior on every parameter, in natural units; 0: maximum likelihood."""

    @property
    def size(self) -> int:
        """Number of parameters P: θ, then log ν, then γ."""
        return self.n + self.ties + self.seat

    def start(self) -> FloatArray:
        """Everybody equal."""
        return np.zeros(self.size)

    def nu(self, parameters: FloatArray) -> float:
        """ν, 0 where it isn't modelled."""
        return float(np.exp(parameters[self.n])) if self.ties else 0.0

    def advantage(self, parameters: FloatArray) -> float:
        """γ, 0 where it isn't modelled."""
        return float(parameters[-1]) if self.seat else 0.0


def probabilities(model: Model, parameters: FloatArray, counts: Counts) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(win, draw, loss) of ``first`` for every item (E,), (E,), (E,)."""
    win, draw, loss, _ = _outcomes(model, parameters, counts)
    return win, draw, loss


def log_likelihood(model: Model, parameters: FloatArray, counts: Counts) -> float:
    """Log-likelihood plus log-prior, up to a constant."""
    *_, terms = _outcomes(model, parameters, counts)
    return float(terms.sum() - 0.5 * model.precision * parameters @ parameters)


def scores(model: Model, parameters: FloatArray, counts: Counts, cluster_E: IntArray) -> FloatArray:
    """Gradient of the log-likelihood (prior left out) from each cluster (G, P)."""
    win, draw, loss = probabilities(model, parameters, counts)
    size = int(cluster_E.max()) + 1 if len(cluster_E) else 0
    delta_E = 0.5 * (counts.wins - counts.losses - counts.matches * (win - loss))
    table = table_of(cluster_E, counts.first, delta_E, (size, model.n))
    columns = [table - table_of(cluster_E, counts.second, delta_E, (size, model.n))]
    if model.ties:
        excess_E = counts.draws - counts.matches * draw
        columns.append(sums(cluster_E, excess_E, size)[:, None])
    if model.seat:
        columns.append(sums(cluster_E, delta_E, size)[:, None])
    return np.concatenate(columns, axis=1)


def information(model: Model, parameters: FloatArray, counts: Counts) -> FloatArray:
    """Minus the Hessian of the log-posterior (P, P)."""
    win, draw, loss = probabilities(model, parameters, counts)
    n, first, second, met_E = model.n, counts.first, counts.second, counts.matches
    curve_E = met_E * 0.25 * (win + loss - (win - loss) ** 2)
    weight_NN = table_of(first, second, curve_E, (n, n))
    weight_NN = weight_NN + weight_NN.T
    table = np.zeros((model.size, model.size))
    table[:n, :n] = np.diag(weight_NN.sum(axis=1)) - weight_NN
    cross_E = -met_E * 0.5 * (win - loss) * draw
    if model.ties:
        _border(table, n, _difference(first, second, cross_E, n), float((met_E * draw * (1 - draw)).sum()))
    if model.seat:
        _border(table, -1, _difference(first, second, curve_E, n), float(curve_E.sum()))
    if model.ties and model.seat:
        table[n, -1] = table[-1, n] = cross_E.sum()
    return table + model.precision * np.eye(model.size)


def maximise(model: Model, counts: Counts) -> tuple[FloatArray, int]:
    """The parameters of greatest posterior density, θ summing to zero, and the Newton steps it took.

    Raises:
        TableError: no convergence, which without a prior means that there is no finite maximum.
    """
    parameters, value = model.start(), log_likelihood(model, model.start(), counts)
    one_cluster = np.zeros(len(counts.first), dtype=np.int64)
    for step in range(1, _STEPS + 1):
        slope = scores(model, parameters, counts, one_cluster).sum(axis=0) - model.precision * parameters
        move = np.linalg.solve(_grounded(model, information(model, parameters, counts)), slope)
        gain = float(slope @ move)
        if gain < 1e-18 * max(1.0, abs(value)):
            return _centred(model, parameters + move), step
        parameters, value = _line_search(model, parameters, move, value, gain, counts)
    raise TableError("the ratings do not converge: someone won or lost everything; give a prior (prior_sd=1000)")


def _line_search(
    model: Model, parameters: FloatArray, move: FloatArray, value: float, gain: float, counts: Counts
) -> tuple[FloatArray, float]:
    length = 1.0
    while length > 1e-10:
        candidate = parameters + length * move
        reached = log_likelihood(model, candidate, counts)
        if reached >= value + 1e-4 * length * gain - 1e-12 * abs(value):
            return candidate, reached
        length /= 2
    return parameters, value


def _outcomes(model: Model, parameters: FloatArray, counts: Counts) -> tuple[FloatArray, ...]:
    """Win, draw and loss probabilities and the log-likelihood of every item."""
    strength = parameters[: model.n]
    half_E = 0.5 * (strength[counts.first] - strength[counts.second] + model.advantage(parameters))
    log_nu = parameters[model.n] if model.ties else -np.inf
    top_E = np.maximum(np.abs(half_E), log_nu)
    win, loss, draw = np.exp(half_E - top_E), np.exp(-half_E - top_E), np.exp(log_nu - top_E)
    total = win + loss + draw
    terms = (counts.wins - counts.losses) * half_E - counts.matches * (top_E + np.log(total))
    if model.ties:
        terms = terms + counts.draws * log_nu
    return win / total, draw / total, loss / total, terms


def _grounded(model: Model, table: FloatArray) -> FloatArray:
    """Adding a constant to every θ changes nothing: without a prior, hold their sum at zero."""
    if model.precision > 0:
        return table
    grounded = table.copy()
    grounded[: model.n, : model.n] += np.trace(table) / model.n**2 + 1e-300
    return grounded


def _centred(model: Model, parameters: FloatArray) -> FloatArray:
    centred = parameters.copy()
    centred[: model.n] -= centred[: model.n].mean()
    return centred


def _difference(first_E: IntArray, second_E: IntArray, weight_E: FloatArray, n: int) -> FloatArray:
    return sums(first_E, weight_E, n) - sums(second_E, weight_E, n)


def _border(table: FloatArray, place: int, column_N: FloatArray, corner: float) -> None:
    table[: len(column_N), place] = table[place, : len(column_N)] = column_N
    table[place, place] = corner
