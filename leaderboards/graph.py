"""Who can be compared with whom: the pool as a graph, and what to play where it falls apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from leaderboards.arrays import BoolArray, FloatArray, IntArray


def groups(met_NN: FloatArray) -> IntArray:
    """The group of each entrant: two share one when a chain of matches joins them (N,)."""
    return _components(met_NN > 0, connection="weak")


def bounded(scored_NN: FloatArray) -> BoolArray:
    """Whose rating the results alone bound (N,).

    Maximum likelihood is finite only within a set whose members are joined both ways by chains of "scored against"
    (Ford 1957, American Mathematical Monthly 64). Who lies outside the largest such set of its group — undefeated,
    winless, or in a clique that always beats the rest — is placed by the prior.

    Args:
        scored_NN: wins plus draws of row against column.
    """
    strong = _components(scored_NN > 0, connection="strong")
    weak = groups(scored_NN + scored_NN.T)
    sizes = np.bincount(strong)
    inside = np.zeros(len(strong), dtype=bool)
    for group in np.unique(weak):
        members = weak == group
        largest = sizes[strong[members]].max()
        cores = np.unique(strong[members & (sizes[strong] == largest)])
        if len(cores) == 1:
            inside |= strong == cores[0]
    return inside


def advice(names: Sequence[str], group_N: IntArray) -> str:
    """What to play so that an unconnected pool becomes one: an entrant of each group against one of the first."""
    heads = [names[int(np.argmax(group_N == g))] for g in dict.fromkeys(group_N.tolist())]
    shown = "; ".join(f'"{heads[0]}" against "{other}"' for other in heads[1:6])
    return f"play {shown}" + ("; …" if len(heads) > 6 else "")


def _components(edge_NN: BoolArray, connection: str) -> IntArray:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    found: IntArray = connected_components(csr_array(edge_NN), directed=True, connection=connection)[1]
    return found
