"""How fast a language model plays, against ``transformers`` generation that re-reads the conversation each turn.

python bench/rollout_speed.py [SPEC] [SEATS]

Both sit in the same turn loop, play the same game, and generate free replies of the same greatest length; the ratio is
of two times in one process, taken in turns: processor time where a processor computes (other processes count little).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

import games
import policies
from arena.illegal import IllegalRule
from arena.match import run_matches
from arena.records import Episode, Match
from policies import BasePolicy, Policy, Reply, Turn
from policies.llm.base import Base
from policies.llm.player import Decoding, LLMPolicy

GAME = "prisoners-dilemma:rounds=10"
LENGTH = 8  # tokens of a reply at most
PAIRS = 3
TARGET = 4.0


class Rereads(BasePolicy):
    """The same model as ``transformers`` alone plays it: the whole conversation into ``generate`` at every turn."""

    def __init__(self, base: Base) -> None:
        self.base, self.name = base, "rereads"
        self.talks: dict[tuple[int, int], list[dict[str, str]]] = {}

    def act(self, turns: Sequence[Turn]) -> Sequence[Reply]:
        """Render, pad on the left, generate, decode."""
        talks = [self._asked(turn) for turn in turns]
        tokenizer, chat = self.base.tokenizer, self.base.chat
        tokenizer.padding_side, tokenizer.pad_token_id = "left", chat.end
        options = {"add_generation_prompt": True, "return_tensors": "pt", "return_dict": True, "padding": True}
        inputs = tokenizer.apply_chat_template(talks, **options).to(self.base.device)
        with torch.no_grad():
            out = self.base.model.generate(
                **inputs, do_sample=True, temperature=1.0, top_k=0, max_new_tokens=LENGTH, eos_token_id=chat.end,
                pad_token_id=chat.end,
            )  # fmt: skip
        texts = tokenizer.batch_decode(out[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
        for talk, text in zip(talks, texts, strict=True):
            talk.append({"role": "assistant", "content": text})
        return [Reply(text) for text in texts]

    def forget(self, matches: Iterable[int]) -> None:
        """Drop these conversations."""
        over = set(matches)
        self.talks = {key: talk for key, talk in self.talks.items() if key[0] not in over}

    def _asked(self, turn: Turn) -> list[dict[str, str]]:
        rules = {"role": "system", "content": turn.game.rules(turn.seat)}
        talk = self.talks.setdefault((turn.match, turn.seat), [rules])
        talk.append({"role": "user", "content": turn.observation.text})
        return talk


Player = LLMPolicy | Rereads


def play(policy: Policy, seats: int, seed: int) -> list[Episode]:
    """All matches at once, the policy in every seat."""
    game = games.make(GAME)
    matches = [Match(i, game, i, ("x", "x")) for i in range(seats // game.seats)]
    rule = IllegalRule.parse("random-legal")
    return list(run_matches(matches, {"x": policy}, seed=seed, live=len(matches), illegal=rule))


def timed(policy: Player, seats: int, seed: int) -> tuple[float, int]:
    """(seconds, turns)."""
    clock = time.process_time if policy.base.device.type == "cpu" else time.perf_counter
    started = clock()
    episodes = play(policy, seats, seed)
    return clock() - started, sum(len(episode.turns) for episode in episodes)


def compare(name: str, make: Callable[[], Player], plain: Player, seats: int) -> float:
    """Print both speeds, in turns of one process, and return the median ratio."""
    play(make(), seats, 0), play(plain, 4, 0)  # warm up
    ratios = []
    for seed in range(1, PAIRS + 1):
        (ours, turns), (theirs, _) = timed(make(), seats, seed), timed(plain, seats, seed)
        ratios.append(theirs / ours)
        print(
            f"{name}: {turns} turns, {turns / ours:.0f} a second; re-reading {turns / theirs:.0f}; {ratios[-1]:.1f} x"
        )
    return statistics.median(ratios)


def main(spec: str, seats: int) -> None:
    """Free replies, which are compared with the target, and choices among legal moves beside them."""
    made: Any = policies.make(spec)
    base = made.base
    free = Decoding(decode="free", max_new_tokens=LENGTH)
    plain = Rereads(base)

    def player(decoding: Decoding) -> LLMPolicy:
        policy = LLMPolicy(base, made.adapter, decoding)
        policy.reset()  # nothing is left of an earlier run, the rules neither
        return policy

    print(f"{spec} on {base.device}, {base.dtype}, {torch.get_num_threads()} threads; {seats} seats of {GAME}")
    ratio = compare("free replies", lambda: player(free), plain, seats)
    compare("legal moves", lambda: player(Decoding()), plain, seats)
    print(f"rollouts: {ratio:.1f} x re-reading the conversation each turn (target {TARGET:g} x)")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "llm:tiny", int(sys.argv[2]) if len(sys.argv) > 2 else 64)
