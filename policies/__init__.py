"""Policies: everything that can sit in a seat, each one spec string away.

import policies
policy = policies.make("tit-for-tat")
policy = policies.make("llm:tiny")          # a language model; torch is imported only now
"""

from policies.policy import BasePolicy, Exchange, MatchId, Policy, Reply, Sample, Script, Turn
from policies.registry import make, script, scripts, split_name

__all__ = [
    "BasePolicy",
    "Exchange",
    "MatchId",
    "Policy",
    "Reply",
    "Sample",
    "Script",
    "Turn",
    "make",
    "script",
    "scripts",
    "split_name",
]
