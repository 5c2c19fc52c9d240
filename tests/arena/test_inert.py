"""Text of players is harmless where it is shown."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.inert import clip, inert, inert_line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("a\rb", "a\\rb"),
        ("a\r\nb", "a\nb"),
        ("left\u202eright", "left\\u202eright"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("\ud800", "\\ud800"),
        ("tab\there", "tab here"),
        ("[bold]markup[/bold]", "[bold]markup[/bold]"),
        ("höflich 日本", "höflich 日本"),
    ],
)
def test_what_a_terminal_would_obey_is_spelled_out(text, shown):
    assert inert(text) == shown


@given(st.text(st.characters(exclude_categories=())))
def test_no_control_character_is_left(text):
    shown = inert(text)
    assert all(c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for c in shown)
    shown.encode("utf-8")
    assert "\n" not in inert_line(text)


def test_clip_counts_what_is_left_out():
    assert clip("abc", 3) == "abc"
    assert clip("abcdef", 3) == "abc … [3 more characters]"
    assert inert("a" * 10, limit=2) == "aa … [8 more characters]"
