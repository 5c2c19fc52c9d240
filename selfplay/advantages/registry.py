"""Presets: estimators with a name, a paper, options and what they need of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, make_dataclass, replace
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from games.errors import BadOption, UsageError, unknown
from games.options import build, split_spec

if TYPE_CHECKING:
    from games import Game
    from selfplay.advantages.normalise import Normaliser
    from selfplay.config import TrainConfig
    from selfplay.table import TurnTable

Estimator = Callable[..., Any]
"""(some of ``GIVEN``, options by name) -> advantages: (N,), or (N, 2) for thoughts and answers."""

GIVEN = ("table", "config", "normaliser")
"""What an estimator may take: the turns, the configuration of the run, the running statistics."""

NEEDS = {
    "groups": "matches that share their deal",
    "co-players": "two seats or more",
    "roles": "roles that mean the same in every match",
    "states": "what each seat had read and done",
    "lengths": "tokens of replies",
    "outcomes": "payoffs as a share of the game's range",
    "log-probabilities": "those of replies as they were sampled",
    "reference": "log-probabilities under the base model",
    "values": "a value head, trained beside the adapter",
    "steps": "how far the run is",
    "blocks": "thoughts, messages and moves apart",
    "trees": "matches that begin alike",
}
"""What an estimator may need beside a table of rewards; all of it a training run provides, where its game can."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named estimator: (table, configuration, running statistics) -> (N,) advantages."""

    name: str
    function: Estimator
    paper: str
    needs: tuple[str, ...] = ()
    """Keys of ``NEEDS``."""
    takes: tuple[str, ...] = ()
    """Which of ``GIVEN`` the function takes."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the estimator and their values."""

    def estimate(self, table: TurnTable, config: TrainConfig, normaliser: Normaliser) -> Any:
        """(N,) advantages; (N, 2) from an estimator that values the thoughts and the answer of a turn apart.

        Raises:
            UsageError: the table lacks a column that the estimator needs.
        """
        given = {"table": table, "config": config, "normaliser": normaliser}
        return self.function(*[given[name] for name in self.takes], **self.options)

    @property
    def summary(self) -> str:
        """The first line of the estimator's docstring."""
        whole = (self.function.__doc__ or "").strip()
        return whole.splitlines()[0].replace("``", "") if whole else ""

    def check(self, game: Game[Any], config: TrainConfig) -> None:
        """Refuse a run that can't provide what the estimator needs.

        Raises:
            UsageError: it compares matches of a group and there is one match in each, or it needs co-players.
        """
        alone = not game.info.deterministic and config.group_size < 2
        if "groups" in self.needs and (alone or config.matches < 2):
            raise UsageError(
                f'preset "{self.name}" compares matches that share their deal; with {game.name} set group_size '
                f"(--group-size) to 2 or more, and matches (--matches) to at least as many"
            )
        if "co-players" in self.needs and game.seats < 2:
            raise UsageError(f'preset "{self.name}" needs two seats or more; {game.spec} has one')

    def bind(self, options: Mapping[str, Any]) -> Preset:
        """The preset with some of its options set; values may be given as text.

        Raises:
            UnknownName: it has no such option, or its base is no preset.
            BadOption: a value that the option can't have.
        """
        kinds = [(name, type(value), field(default=value)) for name, value in self.options.items()]
        values = asdict(build(make_dataclass("Options", kinds), f'preset "{self.name}"', dict(options)))
        for name, value in values.items():
            allowed = _choices(self.function, name)
            if allowed and value not in allowed:
                raise BadOption(f'preset "{self.name}": {name}={value} is unknown; use {" or ".join(allowed)}')
        return replace(self, options=values, needs=self._needs_with(values.get("base")))

    def _needs_with(self, base: str | None) -> tuple[str, ...]:
        """What it needs with another preset as its ``base`` option; None: it has no such option."""
        if base is None:
            return self.needs
        inherited = get_preset(self.options["base"]).needs
        return tuple(dict.fromkeys([*get_preset(base).needs, *(n for n in self.needs if n not in inherited)]))


def _choices(function: Estimator, option: str) -> tuple[str, ...]:
    """The values an option may have, where it is annotated as a Literal."""
    try:
        hint = get_type_hints(function).get(option)
    except NameError:  # annotations that only a type checker can resolve
        return ()
    return get_args(hint) if get_origin(hint) is Literal else ()


_PRESETS: dict[str, Preset] = {}


def preset(name: str, paper: str, needs: tuple[str, ...] = ()) -> Callable[[Estimator], Estimator]:
    """Register an estimator as the preset ``name``.

    The function takes what it uses of ``table``, ``config`` and ``normaliser``, under these names; its keyword-only
    arguments are the preset's options, each with a default.

    Args:
        name: what configurations call it.
        paper: where it comes from.
        needs: what it needs beside rewards; keys of ``NEEDS``.

    Raises:
        UsageError: the function has other arguments, or ``needs`` names something unknown.
    """

    def register(estimate: Estimator) -> Estimator:
        arguments = signature(estimate).parameters.values()
        options = {p.name: p.default for p in arguments if p.kind is Parameter.KEYWORD_ONLY}
        takes = tuple(p.name for p in arguments if p.kind is not Parameter.KEYWORD_ONLY)
        wrong = [n for n in takes if n not in GIVEN] + [n for n in needs if n not in NEEDS]
        if wrong:
            raise UsageError(
                f'preset "{name}": no {", ".join(wrong)}; an estimator takes {", ".join(GIVEN)} and options after *, '
                f"and may need {', '.join(NEEDS)}"
            )
        _PRESETS[name] = Preset(name, estimate, paper, needs, takes, options)
        return estimate

    return register


def presets() -> dict[str, Preset]:
    """Every preset by name, with its default options."""
    return dict(sorted(_PRESETS.items()))


def get_preset(spec: str) -> Preset:
    """The preset called ``NAME`` or ``NAME:option=value,option=value``.

    Raises:
        UnknownName: there is no such preset or option; the message names the nearest.
        BadOption: an option can't have this value.
    """
    name, options = split_spec(spec)
    if name not in _PRESETS:
        raise unknown("preset", name, _PRESETS)
    return _PRESETS[name].bind(options) if options else _PRESETS[name]
