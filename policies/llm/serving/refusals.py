"""What the server refuses, as OpenAI-shaped errors."""

from __future__ import annotations

from typing import Any

from games.errors import ArenaError


class Refusal(ArenaError):
    """A request that is not answered.

    Args:
        status: the HTTP status.
        message: what is wrong, what is allowed and what to do.
        param: the field of the body that is off, if it is one.
        code: a word for programs, such as ``model_not_found``.
    """

    def __init__(self, status: int, message: str, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.param, self.code = status, param, code

    def body(self) -> dict[str, Any]:
        """The JSON that callers get."""
        kind = _KINDS.get(self.status, "invalid_request_error")
        return {"error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}}


_KINDS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 500: "server_error"}
_KINDS[503] = _KINDS[500]


def bad(message: str, param: str | None = None, code: str | None = None) -> Refusal:
    """A request that is malformed (400)."""
    return Refusal(400, message, param, code)
