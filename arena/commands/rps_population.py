"""``arena tournament rps-population --entrant POLICY``."""

from __future__ import annotations

import json
from argparse import Namespace
from dataclasses import asdict, dataclass
from importlib.resources import files
from math import isnan
from typing import TYPE_CHECKING, Any

from arena.config import RpsPopulationConfig
from arena.flags import add_flags, build, read_toml
from games.errors import UsageError

if TYPE_CHECKING:
    from arena.flags import Parser
    from arena.populations import Returns
    from games.matrix import Floats
    from leaderboards import PopulationScore

ABOUT = """Score policies on a population of 43 rock-paper-scissors players (arXiv 2303.03196): what a policy earns on
average over the population, what the worst opponent there wins of it, and the difference, which is the score. With
--store every match is saved, and a killed run goes on."""
EXAMPLES = """
arena tournament rps-population --entrant iocaine-like
arena tournament rps-population --entrant context-mixing --population originals --matches 100
arena tournament rps-population --entrant llm:tiny --throws 100 --matches 2
arena tournament rps-population --entrant a=llm:tiny+runs/rps/adapter --population test --store runs/rps.sqlite
"""
SPLITS = 50
"""Ways to split the matches in halves, for the bias of the maximum."""


def configure(parser: Parser) -> None:
    """The flags of the command."""
    parser.add_argument("--entrant", nargs="+", metavar="POLICY", default=[], help="who is scored: SPEC or NAME=SPEC")
    parser.add_argument("--config", default="", metavar="FILE.toml", help="settings by field name; flags go over them")
    add_flags(parser, RpsPopulationConfig, skip={"entrants"})
    parser.add_argument("--json", action="store_true", help="the scores as JSON, for programs")


def run(args: Namespace) -> int:
    """Play what is missing and print the scores."""
    from arena.populations import members, score

    given = vars(args)
    file, words, as_json = given.pop("config"), given.pop("entrant"), given.pop("json")
    named = {"entrants": words} if words else {}
    config = build(RpsPopulationConfig, read_toml(file) if file else {}, named, given)
    if not config.entrants:
        raise UsageError("nobody to score; name a policy, as in `--entrant iocaine-like`")
    returns = score(
        config.entrants,
        members(config.population, config.split),
        throws=config.throws,
        matches=config.matches,
        seed=config.seed,
        store=config.store or None,
        live=config.live,
        watch=_watch,
    )
    cards = report(returns)
    _print_json(cards, returns, config) if as_json else _print(cards, returns, config)
    return 0


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The benchmark's figures for one entrant, each with its standard error."""

    entrant: str
    population_return: float
    return_error: float
    exploitability: float
    """What the worst opponent wins of it, on average."""
    exploitability_error: float
    nemesis: str
    aggregate: float
    """Return minus exploitability."""
    aggregate_error: float
    noise_bias: float
    """By how much noise alone inflates the exploitability, which is the greatest of many means."""

    @property
    def corrected(self) -> float:
        """The aggregate without that bias where it is known: at most this, for fewer matches find a weaker nemesis."""
        return self.aggregate + (0.0 if isnan(self.noise_bias) else self.noise_bias)


def report(returns: Returns) -> list[ScoreCard]:
    """The figures of each entrant; errors are NaN where each pair played a single match."""
    from leaderboards import population_score

    found = population_score(returns.mean, names=returns.entrants, population=returns.members)
    return [_card(returns, found, e) for e in range(len(returns.entrants))]


def _card(returns: Returns, found: PopulationScore, e: int) -> ScoreCard:
    import numpy as np

    error_M, exploitability = returns.error[e], float(found.exploitability[e])
    worst, share = returns.members.index(found.nemesis[e]), 1 / len(returns.members)
    weight_M = np.full(len(returns.members), share)
    weight_M[worst] += 1  # the nemesis counts in both terms
    return ScoreCard(
        entrant=returns.entrants[e],
        population_return=float(found.population_return[e]),
        return_error=float(np.sqrt(((share * error_M) ** 2).sum())),
        exploitability=exploitability,
        exploitability_error=float(error_M[worst]),
        nemesis=found.nemesis[e],
        aggregate=float(found.aggregate[e]),
        aggregate_error=float(np.sqrt(((weight_M * error_M) ** 2).sum())),
        noise_bias=_bias(returns.returns[e], exploitability),
    )


def _bias(returns_MN: Floats, exploitability: float) -> float:
    """By how much the exploitability falls when the nemesis is chosen by half of the matches and measured by the rest.

    The greatest of many noisy means is inflated, since the noise helped to choose it; matches that had no say in the
    choice measure it fairly. The mean of many splits; NaN with a single match, which can't be split.
    """
    import numpy as np

    count = returns_MN.shape[1]
    if count < 2:
        return float("nan")
    rng, fair = np.random.default_rng(0), []
    for _ in range(SPLITS):
        half, rest = np.split(rng.permutation(count), [count // 2])
        for choosing, measuring in ((half, rest), (rest, half)):
            nemesis = returns_MN[:, choosing].mean(axis=1).argmin()
            fair.append(-returns_MN[nemesis, measuring].mean())
    return max(0.0, exploitability - float(np.mean(fair)))


def published() -> dict[str, Any]:
    """The published entries of the original population, best aggregate first, with their source."""
    table: dict[str, Any] = json.loads((files("arena") / "rps_published.json").read_text(encoding="utf-8"))
    return table


def standing(aggregate: float) -> str:
    """Between which published entries an aggregate lies."""
    entries = published()["entries"]
    better = [entry for entry in entries if entry["aggregate"] >= aggregate]
    worse = [entry for entry in entries if entry["aggregate"] < aggregate]
    place = f"place {len(better) + 1} beside {len(entries)} published entries"
    above = f"below {better[-1]['name']} ({better[-1]['aggregate']:.1f})" if better else "above them all"
    below = f"above {worse[0]['name']} ({worse[0]['aggregate']:.1f})" if worse else "below them all"
    return f"{place}: {above}" if not worse else f"{place}: {below}" if not better else f"{place}: {above}, {below}"


def cautions(throws: int, population: str) -> list[str]:
    """What must be said beside the figures."""
    from arena.populations import THROWS

    said = []
    if throws != THROWS:
        said.append(
            f"matches of {throws} throws: figures of different lengths don't compare, not even per throw, and rankings "
            f"change with the length; published ones are for {THROWS}"
        )
    if population != "originals":
        said.append(
            "the published figures are on the 43 original bots; only `--population originals` compares with them"
        )
    return said


def _print(cards: list[ScoreCard], returns: Returns, config: RpsPopulationConfig) -> None:
    from arena.populations import THROWS
    from arena.show import console, print_table

    out = console()
    print_table(_title(returns, config), _HEADS, [_row(card) for card in cards])
    for card, mean, error in zip(cards, returns.mean, returns.error, strict=True):
        order = sorted(range(len(mean)), key=lambda m: -mean[m])
        rows = [(returns.members[m], f"{mean[m]:+.1f}", f"± {error[m]:.1f}") for m in order]
        print_table(f"\n{card.entrant} against each", ("member", "mean return", ""), rows)
        if config.throws == THROWS:
            out.print(f"{card.entrant}: {standing(card.aggregate)}")
    for caution in cautions(config.throws, config.population):
        out.print(f"note: {caution}", style="bold")
    out.print(f"published: {published()['source']}", style="dim")


_HEADS = (
    "entrant",
    "population return",
    "exploitability",
    "nemesis",
    "aggregate",
    "bias of the maximum",
    "without it, at most",
)


def _row(card: ScoreCard) -> tuple[str, ...]:
    return (
        card.entrant,
        f"{card.population_return:.1f} ± {card.return_error:.1f}",
        f"{card.exploitability:.1f} ± {card.exploitability_error:.1f}",
        card.nemesis,
        f"{card.aggregate:.1f} ± {card.aggregate_error:.1f}",
        f"{card.noise_bias:.1f}",
        f"{card.corrected:.1f}",
    )


def _title(returns: Returns, config: RpsPopulationConfig) -> str:
    part = f"population {config.population} ({len(returns.members)} members)"
    return f"{part}, {config.matches} matches of {config.throws} throws with each"


def _print_json(cards: list[ScoreCard], returns: Returns, config: RpsPopulationConfig) -> None:
    from arena.populations import THROWS
    from arena.show import print_json

    scores = []
    for e, card in enumerate(cards):
        pairs = zip(returns.members, returns.mean[e], returns.error[e], strict=True)
        figures = {name: _known(value) for name, value in asdict(card).items()}
        figures["corrected"] = card.corrected
        figures["standing"] = standing(card.aggregate) if config.throws == THROWS else None
        figures["against"] = {m: {"mean": float(mean), "error": _known(float(error))} for m, mean, error in pairs}
        scores.append(figures)
    print_json({"config": asdict(config), "scores": scores, "notes": cautions(config.throws, config.population)})


def _known(value: Any) -> Any:
    """The value, or None for a number that is not known: JSON has no NaN."""
    return None if isinstance(value, float) and isnan(value) else value


def _watch(items: Any, total: int, before: int) -> Any:
    from arena.progress import watch

    return watch(items, total, before)
