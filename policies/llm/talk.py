"""One seat's conversation: what is appended before each reply, and what stays of it afterwards.

Mostly it only grows: replies stay as they were sampled. Where the model's template rewrites history (an invitation
that past replies don't have, thoughts that are dropped), the end of the conversation is dropped after each reply and
spelled anew as the template spells the past; up to there everything computed is used again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from policies.llm.chat import ChatFormat
from policies.llm.decoding import Decoding
from policies.llm.engine import Engine
from policies.llm.nodes import Node, Read
from policies.llm.trie import Ids


@dataclass(slots=True)
class Prompt:
    """What a seat's conversation reads before a reply."""

    new: Ids
    """Ids to append to the node where the conversation stands."""
    read: Ids
    """The prompt as training sees it: what follows the sampled tokens before it or, where ``fresh``, all of it."""
    fresh: bool
    """Whether the conversation, as training sees it, begins with this prompt."""


@dataclass(slots=True)
class Talk:
    """One seat's conversation, and where in the engine it stands."""

    engine: Engine
    chat: ChatFormat
    opening: Ids
    node: Node
    grows: bool
    """Whether what was read and sampled stays as it is."""
    unread: Ids = ()
    """Ids of the last reply that the node has not read yet, as far as they stay."""
    closing: Ids = ()
    """The end token, where the last reply ran out of tokens before it."""
    exchanges: list[tuple[str, Ids]] = field(default_factory=list)
    """Every earlier observation and reply (end token included), for beginning anew."""
    text: str = ""
    """The observation that is being answered."""
    asked: int = 0
    """Length of the conversation up to the observation, invitation excluded."""

    def move(self, row: Read) -> None:
        """Stand where a row arrived."""
        node = row.arrived()
        node.holders += 1
        self.engine.release(self.node)
        self.node = node

    def ask(self, text: str, decoding: Decoding, context: int) -> Prompt:
        """The prompt that asks for a reply to ``text``.

        When the conversation would outgrow the model's context, it begins anew with the rules and the latest exchanges
        that fill at most half of it.
        """
        chat, first, self.text = self.chat, not self.exchanges, text
        observed = chat.first(text, "") if first else chat.next(text, "")
        invite = chat.invite_to(decoding.think)
        asked = self.closing + (chat.first(text, invite) if first else chat.next(text, invite))
        length = len(self.node.ids) + len(self.unread) + len(asked) + decoding.room
        fresh = first
        if not first and length > context:
            asked, observed, fresh = *self._restart(invite, context), True
        new = self.unread + asked
        self.asked = len(self.node.ids) + len(self.unread) + len(observed)
        whole = fresh or not self.grows
        return Prompt(new, (self.node.ids if whole else ()) + (new if whole else asked), whole)

    def close(self, ids: Ids, unread: Ids) -> None:
        """A reply was sampled; ``unread`` of its ``ids`` were not read by the node."""
        end = self.chat.end
        closing = () if ids[-1] == end else (end,)
        self.exchanges.append((self.text, ids + closing))
        if self.grows:
            self.unread, self.closing = unread, closing
        else:
            self.node = self.engine.drop_end(self.node, self.asked)
            self.unread, self.closing = self.chat.past() + ids + closing, ()

    def _restart(self, invite: str, context: int) -> tuple[Ids, Ids]:
        """Begin anew, as far as half of the context goes: (ids to append to the rules, without the invitation)."""
        kept = self._latest(context // 2 - len(self.opening))
        root = self.engine.root(self.node.adapter, self.opening)
        root.holders += 1
        self.engine.release(self.node)
        self.node, self.unread, self.closing, self.exchanges = root, (), (), kept
        before = spell(self.chat, kept)
        ask = self.chat.next if kept else self.chat.first
        return before + ask(self.text, invite), before + ask(self.text, "")

    def _latest(self, room: int) -> list[tuple[str, Ids]]:
        """The latest exchanges that take no more than ``room`` tokens."""
        kept: list[tuple[str, Ids]] = []
        for text, reply in reversed(self.exchanges):
            room -= len(self.chat.next(text, self.chat.history)) + len(reply)
            if room < 0:
                break
            kept.insert(0, (text, reply))
        return kept


def spell(chat: ChatFormat, exchanges: list[tuple[str, Ids]]) -> Ids:
    """Ids of consecutive observations and replies, right after the opening, as the template spells the past."""
    ids: Ids = ()
    for i, (text, reply) in enumerate(exchanges):
        ids += (chat.next(text, chat.history) if i else chat.first(text, chat.history)) + reply
    return ids
