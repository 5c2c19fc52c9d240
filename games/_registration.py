"""Put every game in PettingZoo's registry once PettingZoo is imported, and never import it for that.

Importing PettingZoo costs more than the whole command line, and its registry (1.27) knows no plug-ins. So ``games``
leaves a finder on ``sys.meta_path`` that waits for the first import of PettingZoo, lets the ordinary finders load it,
adds the games after its own environments, and is gone.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

from games.errors import ArenaError

NAMESPACE = "arena"
_BROKEN = (ImportError, SyntaxError, NameError, AttributeError, TypeError, ValueError, ArenaError)
"""What a broken game file may raise: it must not make the import of PettingZoo fail."""


def register_when_imported() -> None:
    """Register now where PettingZoo is imported already, else when it is."""
    if "pettingzoo" in sys.modules:
        register()
    elif not any(isinstance(finder, _Waiting) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Waiting())


def register() -> None:
    """Add every game that is not yet there to both of PettingZoo's registries, as ``arena/<name>-v<version>``."""
    import pettingzoo

    from games.registry import load, names

    for name in names():
        try:
            env_id = f"{NAMESPACE}/{name}-v{load(name)().info.version}"
        except _BROKEN as error:
            warnings.warn(f'game "{name}" is not registered with PettingZoo: {error}', stacklevel=2)
            continue
        for kind, known in (("aec", pettingzoo.aec_registry), ("parallel", pettingzoo.parallel_registry)):
            if env_id not in known:
                pettingzoo.register(kind, env_id, f"games.pettingzoo:{kind}_env", kwargs={"game": name})


class _Waiting(MetaPathFinder):
    """Waits for PettingZoo to be loaded, once; whoever only asks where it is gets the answer and changes nothing."""

    def __init__(self) -> None:
        self.asking = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the other finders give for PettingZoo, its loader followed by :func:`register`."""
        if fullname != "pettingzoo" or self.asking:
            return None
        self.asking = True
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            self.asking = False
        if spec is not None and spec.loader is not None:
            spec.loader = _Registering(spec.loader, self)
        return spec


class _Registering(Loader):
    """A loader that registers the games once the real one is through."""

    def __init__(self, loader: Loader, finder: _Waiting) -> None:
        self.loader, self.finder = loader, finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the real loader does."""
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Load PettingZoo, its own loader given back and the finder gone, then register."""
        if self.finder in sys.meta_path:
            sys.meta_path.remove(self.finder)
        module.__loader__ = self.loader
        if module.__spec__ is not None:
            module.__spec__.loader = self.loader
        self.loader.exec_module(module)
        register()
