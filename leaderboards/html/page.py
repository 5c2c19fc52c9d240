"""The page itself: nothing is fetched, one script runs (named by its hash), and all that players wrote stays text."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from leaderboards.board import Board
from leaderboards.html.matches import readable
from leaderboards.html.tables import overall_html, section_html

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Leaderboard</title>
<style>{style}</style>
</head>
<body>
<h1>Leaderboard</h1>
<label>Show only <input id="filter" type="search" placeholder="entrant, kind, …"></label>
{sections}
<section id="reader">
<h2>Matches to read</h2>
<div class="bar" id="matches">
<label>Match <select id="match"></select></label>
<button type="button" id="before">before</button>
<button type="button" id="after">after</button>
<button type="button" id="all">all</button>
</div>
<p id="none" hidden>None of these matches is in this page; <code>arena replay</code> shows any that is stored.</p>
<div id="chat"></div>
</section>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def html_text(board: Board, stores: Sequence[str | Path] = ()) -> str:
    """A board as one page.

    Args:
        board: from :func:`leaderboards.from_store`.
        stores: paths of the stores whose matches can be read in it; none: a page without matches.

    Raises:
        ArenaError: a store can't be read.
    """
    sections = [section_html(section) for section in board.sections]
    if board.overall is not None:
        sections.append(overall_html(board.overall))
    script = _resource("page.js")
    return _PAGE.format(
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src '{_hash(script)}'",
        style=_resource("page.css"),
        sections="\n".join(sections),
        data=embedded(readable(stores)),
        script=script,
    )


def embedded(value: Any) -> str:
    """A JSON value that may stand inside a ``script`` element: nothing in it can end the element or begin another."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _resource(name: str) -> str:
    return files("leaderboards.html").joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
