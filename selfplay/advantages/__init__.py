"""Advantages: small named functions over one flat table of turns, composed into presets.

Every file of this folder is imported, so that a file with a :func:`preset` in it is all that a new estimator needs.
"""

from importlib import import_module
from pkgutil import iter_modules

from selfplay.advantages.alignment import align, align_melting_pot, aligned_advantages, summed_advantages
from selfplay.advantages.normalise import Normaliser
from selfplay.advantages.parts import group_mean, group_std, leave_one_out_mean, return_to_go, whiten, z_score
from selfplay.advantages.registry import NEEDS, Preset, get_preset, preset, presets
from selfplay.advantages.trajectories import Trajectories, per_trajectory, trajectories

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = [
    "NEEDS",
    "Normaliser",
    "Preset",
    "Trajectories",
    "align",
    "align_melting_pot",
    "aligned_advantages",
    "get_preset",
    "group_mean",
    "group_std",
    "leave_one_out_mean",
    "per_trajectory",
    "preset",
    "presets",
    "return_to_go",
    "summed_advantages",
    "trajectories",
    "whiten",
    "z_score",
]
