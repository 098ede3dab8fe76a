"""Reads replies: their JSON, or the error that they are."""

from __future__ import annotations

import json
import re
from typing import Any

from ._requests import CHECK_BASE, ApiError, Reply, UnexpectedResponse, UnknownCursor, is_temporary


def json_of(reply: Reply) -> Any:
    """Raises ``ApiError`` if the reply is an error, ``ValueError`` if it is not JSON."""
    bytes_of(reply)
    try:
        return json.loads(reply.text)
    except ValueError as error:
        raise ValueError(f"the response is not JSON: {reply.text[:100]!r}. {CHECK_BASE}") from error


def object_of(url: str, reply: Reply) -> dict[str, Any]:
    """Raises ``ApiError`` if the reply is an error, ``UnexpectedResponse`` if it is not an object in JSON."""
    try:
        found = json_of(reply)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    raise UnexpectedResponse(url, reply, "application/json")


def text_of(url: str, reply: Reply, media_type: str) -> str:
    """Raises ``ApiError`` if the reply is an error, ``UnexpectedResponse`` if it has another media type."""
    bytes_of(reply)
    if reply.headers.get("Content-Type", "").lower().startswith(media_type):
        return reply.text
    raise UnexpectedResponse(url, reply, media_type)


def bytes_of(reply: Reply) -> bytes:
    """Raises ``ApiError`` if the reply is an error."""
    if reply.status == 200:
        return reply.body
    code, message = "", f"status {reply.status}"
    try:
        error = json.loads(reply.text)["error"]
        code, message = str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        # Another server answered, or something between this client and the service.
        if 400 <= reply.status and not is_temporary(reply.status):
            message += f". {CHECK_BASE}"
    is_cursor = reply.status == 400 and re.match(r"after\b", message)
    raise (UnknownCursor if is_cursor else ApiError)(reply.status, code, message, reply.headers)
