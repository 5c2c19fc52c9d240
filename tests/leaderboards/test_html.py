"""The page: sound markup that fetches nothing, text that stays text, and a real browser that clicks it."""

from __future__ import annotations

import json
import os
import re
import shutil
from html.parser import HTMLParser

import pytest

import arena
from arena.cli import main
from leaderboards import from_store
from leaderboards.html.matches import readable
from leaderboards.html.page import embedded, html_text
from policies import Script

EVIL = "<script>alert(1)</script>"
TALK = '</script><img src=x onerror="document.title=1"><b>bold</b> \x1b[31mred\x07 \u202eabc & {}'
_VOID = {"meta", "input", "br", "img", "link"}


class Talker(Script):
    """Says what would do harm, and claims five."""

    name = EVIL

    def decide(self, turn):
        return TALK if turn.moves.free else "5"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("html") / "arena.sqlite"
    who = {EVIL: Talker(), "greedy": "greedy", "liar": "liar"}
    arena.tournament(["trust-and-split:rounds=2"], who, deals=2, store=path).close()
    return path


@pytest.fixture(scope="module")
def page(path):
    return html_text(from_store(path, bootstrap=0), [path])


class Tree(HTMLParser):
    """Every element, and whether they close in order."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def tree(page):
    found = Tree()
    found.feed(page)
    assert found.open == []
    return found


def test_the_page_fetches_nothing_and_runs_one_script(page, tree):
    tags = [tag for tag, _ in tree.tags]
    assert not {"img", "link", "iframe", "b", "object"} & set(tags)
    assert tags.count("script") == 2  # the data and the program
    for _, attributes in tree.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert re.search(r"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[A-Za-z0-9+/=]+'", page)
    assert "alert(1)" in page


def test_a_name_that_is_a_script_is_text_wherever_it_stands(page, tree):
    assert EVIL in tree.texts  # a table cell
    assert EVIL not in page  # as markup
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_matches_are_whole_and_can_be_read_back(page, path):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert data == readable([path])
    assert len(data) == 18
    said = [turn["reply"] for tick in data[0]["ticks"] for turn in tick["turns"]]
    assert any("\\x1b[31mred\\x07" in reply for reply in said)
    assert data[0]["payoffs"] == [sum(tick["rewards"][seat] for tick in data[0]["ticks"]) for seat in (0, 1)]


def test_tables_of_entrants_take_turns_when_there_are_too_many_matches(path):
    assert [match["id"] for match in readable([path], most=9)] == [str(k) for k in range(1, 10)]
    both = readable([path, path], most=4)
    assert [match["id"] for match in both] == ["1.1", "1.2", "2.1", "2.2"]


def test_embedded_data_cannot_end_its_element():
    assert embedded(["</script><!--", "\u2028&"]) == '["\\u003c/script\\u003e\\u003c!--","\\u2028\\u0026"]'


def test_the_command_writes_the_page(path, tmp_path, capsys):
    assert main(["leaderboard", str(path), "--html", str(tmp_path / "board.html")]) == 0
    assert (tmp_path / "board.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["leaderboard", str(path), "--html", str(tmp_path / "no" / "board.html")]) == 1
    assert "can't write" in capsys.readouterr().err


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium: Debian's (``apt-get install chromium``), or the one that $CHROMIUM names."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    names = ("chromium", "chromium-browser", "google-chrome")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser, page, tmp_path):
    """The page in the browser; any error, dialogue or request fails the test."""
    file = tmp_path / "board.html"
    file.write_text(page, encoding="utf-8")
    tab, complaints = browser.new_page(), []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    tab.on("dialog", lambda dialog: (complaints.append("dialogue"), dialog.dismiss()))
    tab.on("request", lambda request: complaints.append(request.url) if request.url != file.as_uri() else None)
    tab.goto(file.as_uri())
    yield tab
    assert complaints == []
    tab.close()


def column(tab, head):
    heads = tab.locator("table.board thead th").all_inner_texts()
    place = next(k for k, found in enumerate(heads) if found.split(" ")[0] == head)
    return tab.locator(f"table.board tbody tr td:nth-child({place + 1})").all_inner_texts()


def test_a_browser_sorts_by_a_click(opened):
    assert column(opened, "#") == ["1", "1", "3"]
    opened.click("table.board th button:text-is('entrant')")
    assert column(opened, "entrant") == [EVIL, "greedy", "liar"]
    opened.click("table.board th button:text-is('entrant')")
    assert column(opened, "entrant") == ["liar", "greedy", EVIL]
    opened.click("table.board th button:text-is('#')")
    assert column(opened, "#") == ["1", "1", "3"]
    opened.click("table.board th button:text-is('#')")
    assert column(opened, "#") == ["3", "1", "1"]


def test_a_browser_filters(opened):
    opened.fill("#filter", "GREED")
    rows = opened.locator("table.board tbody tr:visible").all_inner_texts()
    assert len(rows) == 1
    assert "greedy" in rows[0]


def test_a_click_on_the_heat_map_opens_a_match_as_a_chat(opened):
    opened.click(f".cell[data-row='liar'][data-column='{EVIL}']")
    heading = opened.inner_text("#chat h3")
    assert "liar" in heading
    assert EVIL in heading
    turns = opened.locator("#chat .turn")
    assert turns.count() == 8  # two rounds of two messages and two claims
    left, right = (opened.locator(f"#chat .turn{side}").first for side in (":not(.right)", ".right"))
    assert left.bounding_box()["x"] < right.locator(".said").bounding_box()["x"]
    assert opened.locator("#chat .round").all_inner_texts() == ["round 1", "round 2"]
    assert opened.locator("#chat .paid").count() == 2
    shown = opened.locator("#chat .said").all_inner_texts()
    assert any('</script><img src=x onerror="document.title=1"><b>bold</b>' in words for words in shown)
    assert "5" in shown
    assert opened.locator("#chat img, #chat b, #chat script").count() == 0
    assert opened.title() == "Leaderboard"
    before = heading
    opened.click("#after")
    assert opened.inner_text("#chat h3") != before


def test_what_a_seat_was_told_unfolds(opened):
    first = opened.locator("#chat details").first
    assert not first.locator("div").is_visible()
    first.locator("summary").click()
    assert "Round 1 of 2" in first.locator("div").inner_text()


def test_a_pair_without_a_match_in_the_page_says_so(browser, path, tmp_path):
    (tmp_path / "bare.html").write_text(html_text(from_store(path, bootstrap=0)), encoding="utf-8")
    tab = browser.new_page()
    tab.goto((tmp_path / "bare.html").as_uri())
    tab.click(".cell >> nth=0")
    assert "arena replay" in tab.inner_text("#none")
    tab.close()
