"""The configuration of a tournament, as flags and TOML files fill it in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class TournamentConfig:
    """Who plays what, on how many deals, and how matches are chosen."""

    games: tuple[str, ...] = ()
    """Games to play, as specs: kuhn-poker, prisoners-dilemma:rounds=10,noise=0.05, pettingzoo:ID."""
    entrants: tuple[str, ...] = ()
    """Who plays, as specs, or NAME=SPEC to give one a name."""
    deals: int = 10
    """Deals that each table of entrants plays: n entrants at two seats play n x n matches per deal."""
    schedule: Literal["round-robin", "gauntlet", "swiss", "active"] = "round-robin"
    """round-robin: everybody meets everybody; gauntlet: --focus meets everybody; swiss: equals meet, round by round;
    active: who meets next is what settles the order fastest, with no more matches than the round-robin."""
    focus: tuple[str, ...] = ()
    """Who runs the gauntlet; nobody named: the first entrant."""
    rounds: int = 0
    """Rounds of swiss; 0: log2 of the number of entrants, and one more."""
    confidence: float = 0.95
    """Where active stops: the share of pairs of entrants that are expected to stand in the right order."""
    seed: int = 0
    """Fixes all chance: the same seed gives the same results."""
    store: str = ""
    """SQLite file that keeps every match; an interrupted run goes on where it stopped. Without it nothing is kept."""
    workers: str = ""
    """Who plays: this process; ray: Ray's workers (extra), on the cluster at RAY_ADDRESS or else on this machine's
    processors; ray://HOST:PORT: on that cluster. It changes speed, never results."""
    live: int = 64
    """Matches kept going at once; changes speed, never results."""
    illegal: str = "game"
    """What an illegal reply counts as: game (the game's own rule), forfeit, random-legal, or retry:N to let the player
    mend it N times before (retry:N:forfeit, retry:N:random-legal)."""


@dataclass(frozen=True)
class RpsPopulationConfig:
    """The rock-paper-scissors population benchmark (arXiv 2303.03196)."""

    entrants: tuple[str, ...] = ()
    """Who is scored, as specs, or NAME=SPEC to give one a name."""
    population: Literal["all", "train", "test", "originals", "originals-train", "originals-test"] = "all"
    """Our 43 players or the 43 original bots (extra openspiel), whole or split: 33 to learn from, 10 held out."""
    split: int = 0
    """Seed of that split."""
    throws: int = 1000
    """Throws of a match. Scores of different lengths don't compare."""
    matches: int = 20
    """Matches with each member of the population."""
    seed: int = 0
    """Fixes all chance: the same seed gives the same results."""
    store: str = ""
    """SQLite file that keeps every match; an interrupted run goes on where it stopped. Without it nothing is kept."""
    live: int = 64
    """Matches kept going at once where a player is no array bot; changes speed, never results."""
