"""Advantages: small named functions over one flat table of turns, composed into presets."""

from selfplay.advantages.alignment import align, align_melting_pot, aligned_advantages
from selfplay.advantages.normalise import Normaliser
from selfplay.advantages.parts import group_mean, group_std, leave_one_out_mean, return_to_go
from selfplay.advantages.presets import Preset, get_preset, preset, presets

__all__ = [
    "Normaliser",
    "Preset",
    "align",
    "align_melting_pot",
    "aligned_advantages",
    "get_preset",
    "group_mean",
    "group_std",
    "leave_one_out_mean",
    "preset",
    "presets",
    "return_to_go",
]
