"""A person in a seat: prompts, help, another try, leaving."""

from __future__ import annotations

import pytest

import arena
import policies
from games import UsageError
from policies.human import Human, LeftError


def person(*lines: str) -> tuple[Human, list[str]]:
    """A human who types these lines and then closes the input; and what was said to them."""
    waiting, said = iter(lines), []

    def ask(prompt: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return Human(ask, said.append), said


def test_a_person_plays_a_match():
    human, said = person("defect", "Cooperate")
    [episode] = arena.play("prisoners-dilemma:rounds=2", [human, "always-cooperate"])
    assert episode.payoffs == (8.0, 3.0)  # 5 + 3, 0 + 3
    assert [t.move for t in episode.turns if t.seat == 0] == ["defect", "cooperate"]
    assert "prisoners-dilemma" in said[0]


def test_an_illegal_line_is_asked_again_with_the_reason():
    human, said = person("dunno", "defect")
    [episode] = arena.play("prisoners-dilemma:rounds=1", [human, "always-cooperate"])
    assert episode.illegal(0) == 0
    assert any("legal is one of: cooperate, defect" in text for text in said)


@pytest.mark.parametrize("word", ["?", "help"])
def test_help_shows_the_rules_and_the_moves(word):
    human, said = person(word, "defect")
    [episode] = arena.play("prisoners-dilemma:rounds=1", [human, "always-cooperate"])
    rules = episode.match.game.rules(0)
    assert any(rules in text and "one of: cooperate, defect" in text for text in said)


@pytest.mark.parametrize("lines", [("quit",), ("exit",), (), ("nonsense",)])
def test_leaving_and_a_closed_input_end_the_match(lines):
    human, _ = person(*lines)
    with pytest.raises(LeftError):
        arena.play("prisoners-dilemma:rounds=1", [human, "always-cooperate"])


def test_what_others_wrote_is_shown_inert():
    class Rude(policies.Script):
        name = "rude"

        def decide(self, turn):
            return "\x1b[2J[bold]hi[/bold]\u202e" if turn.moves.free else "5"

    human, said = person("hello", "5")
    arena.play("trust-and-split:rounds=1", [human, Rude()])
    shown = "\n".join(said)
    assert "hi" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_each_match_greets_anew():
    human, said = person("defect", "defect")
    arena.play("prisoners-dilemma:rounds=1", [human, "always-cooperate"], matches=2, live=1)
    assert sum("You are" in text for text in said) == 2


def test_the_spec():
    assert policies.make("human").kind == "human"
    with pytest.raises(UsageError, match="takes no arguments"):
        policies.make("human:7")
