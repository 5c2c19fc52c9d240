"""Chat templates of base, instruct and reasoning models; thoughts kept apart, budgeted, and forgotten."""

from __future__ import annotations

import copy

import pytest
import torch

import games
from arena.match import run_matches
from arena.records import Episode, Match
from games.errors import ArenaError, UsageError
from games.stream import NoChance
from policies import Turn
from policies.llm.base import TINY, Base
from policies.llm.chat import PLAIN_TEMPLATE, ChatFormat
from policies.llm.decoding import Decoding
from policies.llm.player import LLMPolicy
from policies.thinking import split_thought

INSTRUCT = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SWITCHED = (  # thinks unless told not to; forgets thoughts
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.split('</think>')[-1].strip() }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
FORCED = INSTRUCT.replace("assistant\n{% endif %}", "assistant\n<think>\n{% endif %}")  # always thinks
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system messages') }}{% endif %}" + INSTRUCT
TEMPLATES = {"instruct": INSTRUCT, "switched": SWITCHED, "forced": FORCED, "no-system": NO_SYSTEM, "plain": None}
DILEMMA = "prisoners-dilemma:rounds=3"


@pytest.fixture(name="base", scope="module")
def own_base() -> Base:
    return Base("tiny", str(TINY), torch.float32, torch.device("cpu"))


def spoken(base: Base, template: str | None) -> Base:
    """The same model with another template and an engine of its own."""
    other = copy.copy(base)
    other.__dict__.pop("engine", None)
    other.tokenizer = copy.deepcopy(base.tokenizer)
    other.tokenizer.chat_template = template
    other.chat = ChatFormat.of(other.tokenizer)
    return other


def played(policy: LLMPolicy, spec: str = DILEMMA, matches: int = 3) -> list[Episode]:
    game = games.make(spec)
    return list(run_matches([Match(i, game, i, ("x", "x")) for i in range(matches)], {"x": policy}, seed=1))


def samples(episodes: list[Episode]):
    return [(t, t.sample) for e in episodes for t in e.turns if t.seat == 0]


def largest_gap(policy: LLMPolicy, episodes: list[Episode]) -> float:
    """Greatest difference between log-probabilities stored and those of plain uncached logits."""
    gap, ids = 0.0, ()
    for _, sample in samples(episodes):
        ids = (() if sample.fresh else ids) + sample.prompt_ids
        whole = ids + sample.reply_ids
        with torch.no_grad():
            logits = policy.base.model(torch.tensor([whole])).logits[0].double() / policy.decoding.temperature
        for k, (token, logp, among) in enumerate(zip(sample.reply_ids, sample.logprobs, sample.allowed, strict=True)):
            options = list(among) if among is not None else list(range(logits.shape[1]))
            expected = logits[len(ids) + k - 1][options].log_softmax(-1)[options.index(token)]
            gap = max(gap, abs(float(expected) - logp))
        ids = whole
    return gap


def test_a_model_without_a_template_gets_a_plain_one(base) -> None:
    chat = spoken(base, None).chat
    ids = (*chat.opening("The rules."), *chat.first("Round 1."), *chat.content("defect"), chat.end, *chat.next("Two?"))
    text = chat.tokenizer.decode(list(ids))
    end = chat.tokenizer.eos_token
    assert text == f"System: The rules.{end}\nUser: Round 1.{end}\nAssistant: defect{end}\nUser: Two?{end}\nAssistant: "
    assert "eos_token" in PLAIN_TEMPLATE


def test_a_template_without_system_messages_has_the_rules_before_the_first_observation(base) -> None:
    chat = spoken(base, NO_SYSTEM).chat
    text = chat.tokenizer.decode([*chat.opening("The rules."), *chat.first("Round 1.")])
    assert text == "<|im_start|>user\nThe rules.\n\nRound 1.<|im_end|>\n<|im_start|>assistant\n"


def test_a_template_that_drops_messages_is_refused(base) -> None:
    with pytest.raises(ArenaError, match="drops or repeats a message"):
        spoken(base, "{{ messages[0].content }}<|im_end|>")
    with pytest.raises(ArenaError, match="no special token that ends"):
        spoken(base, "{% for m in messages %}{{ m.content }}\n{% endfor %}")


@pytest.mark.parametrize(
    ("template", "grows", "invite", "thought"),
    [
        ("instruct", True, "assistant\n", "assistant\n<think>\n"),
        ("switched", False, "assistant\n<think>\n\n</think>\n\n", "assistant\n<think>\n"),
        ("forced", False, "assistant\n<think>\n\n</think>\n\n", "assistant\n<think>\n"),
    ],
)
def test_how_templates_ask_for_a_reply(base, template, grows, invite, thought) -> None:
    chat = spoken(base, TEMPLATES[template]).chat
    assert chat.grows == grows
    assert chat.history.endswith("assistant\n")
    assert chat.invite_to(0).endswith(f"<|im_start|>{invite}")
    assert chat.invite_to(100).endswith(f"<|im_start|>{thought}")


@pytest.mark.parametrize("template", ["switched", "forced", "plain"])
@pytest.mark.parametrize("options", [{}, {"think": 12}, {"decode": "free", "max_new_tokens": 12, "think": 5}])
def test_every_template_plays_with_the_log_probabilities_of_uncached_logits(base, template, options) -> None:
    policy = LLMPolicy(spoken(base, TEMPLATES[template]), None, Decoding(**options))
    episodes = played(policy)
    assert largest_gap(policy, episodes) <= 1e-4
    engine = policy.engine
    assert set(engine._resident) == set(engine._roots.values())  # nothing is left behind
    assert engine.cache.free == engine.cache.slots - len(engine._roots)


@pytest.mark.parametrize(("template", "think"), [("switched", 0), ("switched", 12), ("forced", 0), ("instruct", 12)])
def test_the_past_is_spelled_as_the_template_spells_it(base, template, think) -> None:
    """What is read before a reply is the template's own rendering of rules, observations and earlier answers."""
    policy = LLMPolicy(spoken(base, TEMPLATES[template]), None, Decoding(think=think))
    [episode] = played(policy, matches=1)
    chat, said = policy.base.chat, [{"role": "system", "content": episode.match.game.rules(0)}]
    for turn, sample in samples([episode]):
        said.append({"role": "user", "content": turn.observation})
        text = chat.tokenizer.apply_chat_template(said, tokenize=False) + chat.invite_to(think).partition("\n")[2]
        assert sample.fresh
        assert list(sample.prompt_ids) == chat.tokenizer(text, add_special_tokens=False)["input_ids"]
        said.append({"role": "assistant", "content": turn.reply})


def test_thoughts_keep_their_budget_and_are_kept_apart(base) -> None:
    policy = LLMPolicy(spoken(base, SWITCHED), None, Decoding(think=7))
    for turn, sample in samples(played(policy)):
        assert turn.reply in ("cooperate", "defect")
        assert "think>" not in turn.thought + turn.reply
        free = [among for among in sample.allowed if among is None]
        assert 1 <= len(free) <= 7
        answer = policy.base.chat.decode(sample.reply_ids[sample.thought :])
        assert answer == turn.reply
        assert turn.completion_tokens == len(sample.reply_ids)
    bare = LLMPolicy(spoken(base, SWITCHED), None, Decoding())
    assert not any(turn.thought for turn, _ in samples(played(bare)))


def test_what_is_kept_of_a_conversation_is_not_read_again(base) -> None:
    """Thinking costs its own tokens and the reply once more, not the whole conversation at every turn."""
    policy = LLMPolicy(spoken(base, SWITCHED), None, Decoding(think=4))
    [episode] = played(policy, "prisoners-dilemma:rounds=8", matches=1)
    again = sum(len(t.sample.prompt_ids) + len(t.sample.reply_ids) for t in episode.turns)
    assert policy.engine.tokens_read < again / 4


def test_thinking_has_no_exact_probabilities(base) -> None:
    game = games.make(DILEMMA)
    state = game.start(NoChance())
    turn = Turn(game, 0, 0, 0, game.observe(state, 0), game.moves(state, 0), NoChance())
    with pytest.raises(UsageError, match="only in constrained decoding"):
        LLMPolicy(base, None, Decoding(think=4)).probabilities([turn])
    [odds] = LLMPolicy(spoken(base, SWITCHED), None, Decoding()).probabilities([turn])
    assert sum(odds.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("defect", ("", "defect")),
        ("<think>\nWell.\n</think>\n\ndefect", ("Well.", "defect")),
        ("Well.</think>defect", ("Well.", "defect")),
        ("<think>endless", ("endless", "")),
        ("<think>a</think>b</think>c", ("ab", "c")),
        ("", ("", "")),
    ],
)
def test_thoughts_are_split_off(text, parts) -> None:
    assert split_thought(text) == parts
