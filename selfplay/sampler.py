"""Rollouts whose tokens are sampled elsewhere: the learner's adapter is published there when its weights changed."""

from __future__ import annotations

import hashlib
import secrets
import shutil
from pathlib import Path

from policies.llm.decoding import Decoding
from policies.llm.player import LLMPolicy
from policies.llm.remote import connect
from policies.llm.remote.asking import Remote
from policies.llm.remote.ledger import Ledger
from policies.llm.remote.player import Front, RemotePolicy
from selfplay.config import TrainConfig
from selfplay.learner import Learner


class PublishedPolicy(RemotePolicy):
    """The learner as it plays at a sampler; :meth:`reset` publishes its weights.

    Every version has a name of its own, so that nothing that was computed with older weights is ever used: the new one
    is loaded, then the old one is forgotten. The folder it is loaded from must be seen by the server under the same
    path. What an earlier process of the same run left there is forgotten at the first publication.

    Args:
        learner: whose adapter plays.
        remote: where it plays.
        decoding: how replies are chosen.
        folder: the run's folder; adapters are handed over in ``published`` below it.
    """

    def __init__(self, learner: Learner, remote: Remote, decoding: Decoding, folder: Path) -> None:
        base = learner.base
        context = min(filter(None, (base.context, remote.context)))
        super().__init__(Front(base.name, base.chat, context, base.fingerprint, Ledger()), remote, None, decoding)
        self.kind = "adapter"
        self._learner, self._folder = learner, folder / "published"
        run = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:8]
        self._run = f"arena-{run}-{learner.ranks.rank}-"  # processes that learn together publish one each
        self._process = secrets.token_hex(3)  # a killed process may have published the same step
        self._published: int | None = None

    def reset(self, version: int = 0) -> None:
        """The weights changed: publish them, and forget all conversations."""
        super().reset(version)
        if version == self._published:
            return
        if self._published is None:
            self._forget_earlier()
        name, before = f"{self._run}{self._process}-{version}", self.adapter
        target = self._folder / name
        self._learner.base.save(self._learner.adapter, target, {"step": version})
        self.remote.publish(name, target)
        self.adapter, self._published = name, version
        if before is not None:
            self._drop(before)

    def _forget_earlier(self) -> None:
        """Clear away what an interrupted process of this run left."""
        for name in self.remote.published():
            if name.startswith(self._run):
                self.remote.retire(name)
        for left in self._folder.glob(f"{self._run}*"):
            shutil.rmtree(left, ignore_errors=True)

    def _drop(self, name: str) -> None:
        self.remote.retire(name)
        shutil.rmtree(self._folder / name, ignore_errors=True)


def sampling_policy(config: TrainConfig, learner: Learner, decoding: Decoding) -> LLMPolicy:
    """What plays the learner's seats: its own engine or, with ``config.sampler``, an engine elsewhere.

    Raises:
        ArenaError: an extra is missing, or the sampler isn't there or lacks the base model.
    """
    if not config.sampler:
        return LLMPolicy(learner.base, learner.adapter, decoding)
    engine, _, query = config.sampler.partition("?")
    options = dict(part.split("=", 1) for part in query.split("&") if "=" in part)
    if engine == "vllm":
        options.setdefault("lora_rank", str(max(8, config.lora_rank)))
    return PublishedPolicy(learner, connect(learner.base.name, engine, options), decoding, Path(config.folder))
