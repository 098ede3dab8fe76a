"""Reads replies: their JSON, or the error that they are."""

from __future__ import annotations

import json
import re
from typing import Any

from ._requests import ApiError, Reply, UnknownCursor


def json_of(reply: Reply) -> Any:
    """Raises ``ApiError`` if the reply is an error, ``ValueError`` if it is not JSON."""
    return json.loads(text_of(reply))


def text_of(reply: Reply) -> str:
    """Raises ``ApiError`` if the reply is an error."""
    bytes_of(reply)
    return reply.text


def bytes_of(reply: Reply) -> bytes:
    """Raises ``ApiError`` if the reply is an error."""
    if reply.status == 200:
        return reply.body
    code, message = "", f"status {reply.status}"
    try:
        error = json.loads(reply.text)["error"]
        code, message = str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        pass  # Something between this client and the service answered.
    is_cursor = reply.status == 400 and re.match(r"after\b", message)
    raise (UnknownCursor if is_cursor else ApiError)(reply.status, code, message)
