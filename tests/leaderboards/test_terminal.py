"""What is printed: golden pictures at 80 and 160 columns, any width, no colour, and names that try to do harm."""

from __future__ import annotations

import io
import os
import re
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from leaderboards import export_svg, from_store, show
from leaderboards.views.cells import amount, fixed, percent, seconds, signed, sparkline, with_error
from leaderboards.views.pairs import pairs_table
from leaderboards.views.words import story

GOLDEN = Path(__file__).parent / "golden"
NAN = float("nan")


def crowd():
    """Eight entrants with the payoffs of ten rounds of the prisoner's dilemma."""
    nice = ["tit-for-tat", "grim", "win-stay-lose-shift", "always-cooperate"]
    nasty = ["always-defect", "selfish", "random", "llm:tiny"]
    for deal in range(6):
        for first in nice + nasty:
            for second in nice + nasty:
                wobble = ((deal * 7 + len(first) * 3 + len(second)) % 5) / 10
                pay = {
                    (True, True): (30.0, 30.0),
                    (True, False): (9.0 - wobble, 14.0 + wobble),
                    (False, True): (14.0 + wobble, 9.0 - wobble),
                    (False, False): (12.0 + wobble, 12.0 - wobble),
                }[first in nice, second in nice]
                yield deal, [(first, pay[0]), (second, pay[1])]


@pytest.fixture
def board(store, poker):
    kinds = {"llm:tiny": "llm", "selfish": "adapter"}
    measures = {name: {"cooperation": k / 8} for k, name in enumerate(["always-defect", "grim", "tit-for-tat"])}
    plays = store(crowd(), rounds=10, kinds=kinds, measures=measures)
    return from_store(plays, store(poker(), game="kuhn-poker", kind="competitive"))


def printed(board, width, **options):
    out = io.StringIO()
    show(board, Console(file=out, width=width, **options))
    return stripped(out.getvalue())


def stripped(text):
    return "\n".join(line.rstrip() for line in text.split("\n"))


@pytest.mark.parametrize("width", [80, 160])
def test_golden(board, width):
    path = GOLDEN / f"board_{width}.txt"
    text = printed(board, width)
    if os.environ.get("WRITE_GOLDEN"):  # after a change that was meant: look at the diff, then commit it
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [20, 31, 40, 60, 79, 80, 100, 132, 160, 250])
def test_no_line_is_wider_than_the_terminal_or_160(board, width):
    lines = printed(board, width).split("\n")
    assert max(map(cell_len, lines)) <= min(width, 160)
    head = next(line for line in lines if line.startswith("#"))
    assert "entrant" in head
    assert "payoff" in head  # what is ranked by goes last


def test_eighty_columns_have_room_for_everything_asked_for(board):
    head = next(line for line in printed(board, 80).split("\n") if line.startswith("#"))
    assert head.split() == ["#", "entrant", "kind", "n", "payoff", "W/D/L", "Elo", "Nash", "skill", "ill.", "tok."]
    words = " ".join(printed(board, 80).split())
    left_out = (
        "ranks, as player_0, as player_1, welfare, exploited, Pareto, exploits, cooperation, payoff/ktoken, time/match"
    )
    assert f"no room for: {left_out}" in words


def test_160_columns_have_room_for_more(board):
    text = printed(board, 160)
    above, head = next(pair for pair in pairwise(text.split("\n")) if pair[1].startswith("#"))
    assert {"ranks", "Nash", "mass", "cooperation", "illegal"} <= set(head.split())
    assert "per round" in above
    assert "no room for: as player_0, as player_1, " in text  # of the dilemma
    assert "no room for: aggregate, worst loss, nemesis" in text  # of the other game


def test_colour_only_adds(board):
    plain = printed(board, 100)
    coloured = printed(board, 100, force_terminal=True, color_system="truecolor")
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    assert stripped(re.sub(r"\x1b\[[0-9;]*m", "", coloured)) == plain


def test_no_color_is_respected(board, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = printed(board, 100, force_terminal=True, color_system="truecolor")
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|38;)", text)


EVIL = "[bold red]x[/] \x1b[2J\x1b]0;owned\x07 :smile: <script>alert(1)</script> \u202eabc\n\tZ\u200d" + "長" * 60


def test_names_are_shown_inert(store, tmp_path):
    plays = [(deal, [(EVIL, 5.0), ("[link=http://x]good[/link]", 1.0)]) for deal in range(3)]
    evil = from_store(store(plays, game="[red]game[/red]\x1b[31m", measures={EVIL: {"[b]m\x1b[0m": 0.5}}))
    for width in (80, 160):
        text = printed(evil, width, force_terminal=True, color_system="truecolor")
        bare = re.sub(r"\x1b\[[0-9;]*m", "", text)
        assert not [c for c in bare if c != "\n" and (ord(c) < 32 or c in "\u202e\u200d\x7f\x9b")]
        assert "[bold red]x[/]" in bare
        assert "[link=http://x]" in bare or width == 80
        assert "[red]game[/red]" in bare
        assert max(map(cell_len, bare.split("\n"))) <= width
    export_svg(evil, tmp_path / "evil.svg")
    picture = (tmp_path / "evil.svg").read_text(encoding="utf-8")
    assert "<script" not in picture
    assert "\x1b" not in picture


def test_the_picture_is_the_same_whatever_the_terminal(board, tmp_path, monkeypatch):
    export_svg(board, tmp_path / "one.svg", width=100)
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb"), ("COLUMNS", "40")):
        monkeypatch.setenv(name, value)
    export_svg(board, tmp_path / "two.svg", width=100)
    one = (tmp_path / "one.svg").read_bytes()
    assert one == (tmp_path / "two.svg").read_bytes()
    text = one.decode("utf-8")
    assert text.startswith("<svg")
    assert "tit-for-tat" in text
    assert "url(http" not in text
    assert "@font-face" not in text


def test_head_to_head_says_what_it_leaves_out(store):
    names = [f"entrant-{k:02d}" for k in range(30)]
    plays = [(0, [(a, 1.0), (b, 2.0)]) for a in names for b in names if a < b]
    text = printed(from_store(store(plays)), 80)
    assert re.search(r"\d+ columns more in a wider terminal or with --json", " ".join(text.split()))
    assert max(map(cell_len, text.split("\n"))) <= 80


def test_the_story_names_cooperators_the_exploited_and_the_hollow_winner(store):
    grim = {
        ("grim", "grim"): (3, 3),
        ("grim", "hawk"): (0.9, 1.4),
        ("hawk", "grim"): (1.4, 0.9),
        ("hawk", "hawk"): (1, 1),
    }
    plays = [(deal, [(a, pay[0]), (b, pay[1])]) for deal in range(10) for (a, b), pay in grim.items()]
    measures = {"grim": {"cooperation": 0.55}, "hawk": {"cooperation": 0.0}}
    (section,) = from_store(store(plays, measures=measures)).sections
    assert story(section) == (
        "grim earns most, 1.95 a round; grim cooperated most (55%), hawk least (0%).",
        "grim was exploited most: 0.90 a round against hawk, which took 1.40; "
        "hawk won most of its matches (100%) and is no champion (rank 2 of 2).",
    )


def test_the_story_of_equals_and_of_one(store):
    peace = [(deal, [(a, 3.0), (b, 3.0)]) for deal in range(3) for a in "xyzw" for b in "xyzw"]
    measures = {name: {"cooperation": 1.0} for name in "xyzw"}
    (section,) = from_store(store(peace, measures=measures)).sections
    assert story(section) == (
        "w, x, y and 1 more earn most, 3.00 a round; everyone cooperated alike (100%).",
        "Nobody was exploited: in every pairing both sides earned the same.",
    )
    (alone,) = from_store(store([(0, [("only", 3.0), ("only", 1.0)])])).sections
    assert story(alone) == ("only played alone; add entrants to compare it with.",)


def test_the_story_of_a_competition_says_how_sure_the_lead_is(store, poker):
    (section,) = from_store(store(poker(200), kind="competitive")).sections
    first = story(section)[0]
    assert re.fullmatch(r"strong leads with Elo \d{4}, \d+ above medium and surely first\.", first)
    assert story(section)[1].startswith("The most one-sided pairing is strong against weak: ")


def test_marks_are_explained(store):
    text = printed(from_store(store([(0, [("a", 1.0), ("b", 0.0)])])), 120)
    assert "* prior-bound: won or lost everything (or all against the rest): only the prior bounds it" in text
    assert "° preliminary: fewer than 10 matches" in text
    assert "! a single deal was played" in text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (with_error(2.314, 0.041, 2, True), "2.31 ±0.04"),
        (with_error(2.314, 0.041, 2, False), "2.31±.04"),
        (with_error(1523.4, 41.2, 0, False), "1523±41"),
        (with_error(2.3, NAN, 2, True), "2.30"),
        (with_error(NAN, NAN, 2, True), "–"),
        (fixed(-0.001, 2), "0.00"),
        (fixed(-12345.678, 2), "-12346"),
        (percent(0.0), "0%"),
        (percent(0.0004), "<1%"),
        (percent(0.123, 1), "12.3%"),
        (percent(NAN), "–"),
        (amount(0), "0"),
        (amount(999.4), "999"),
        (amount(999.6), "1.0k"),
        (amount(12_345), "12k"),
        (amount(999_600), "1.0M"),
        (amount(NAN), "–"),
        (seconds(0.0123), "12ms"),
        (seconds(3.44), "3.4s"),
        (seconds(250.0), "250s"),
        (signed(3.2, 0), "+3"),
        (signed(-3.2, 0), "-3"),
        (signed(0.1, 0), "0"),
        (signed(NAN, 0), "–"),
        (sparkline([1500, 1550, NAN, 1700]), "▁▃ █"),
        (sparkline([2.0, 2.0]), "▄▄"),
        (sparkline([NAN]), ""),
        (sparkline([]), ""),
    ],
)
def test_cells(text, wanted):
    assert text == wanted


def test_the_heat_map_says_how_many_matches_are_behind_a_cell(store):
    even = [(d, [(a, 1.0), (b, 0.0)]) for d in range(3) for a in "ab" for b in "ab"]
    text = printed(from_store(store(even)), 80)
    assert "6 matches each, 3 with itself" in text
    uneven = printed(from_store(store([*even, (9, [("a", 1.0), ("c", 0.0)])])), 80)
    assert "×: matches" in uneven
    assert "1.00×1" in uneven
    (section,) = from_store(store([(0, [("a", 1.0), ("b", 0.0)])])).sections
    table, _ = pairs_table(section, 80)
    assert [cell.style for cell in table.columns[2].cells] == ["black on #4caf50", "dim"]  # a against b, b against b
