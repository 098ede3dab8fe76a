"""Clients with a method for each operation of the API."""

from __future__ import annotations

import urllib.parse
from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from datetime import datetime
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from . import api
from ._errors import object_of, text_of
from ._requests import Headers, Patience, Reply, Retry
from ._text import well_formed
from ._transport import (
    Sender,
    api_url,
    httpx_async_client,
    httpx_client,
    run,
    run_async,
    standard_library,
)

if TYPE_CHECKING:
    import httpx

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")

#: Gets the headers of responses in this thread or task.
_headers: ContextVar[list[Headers]] = ContextVar("_headers")


class Wiki(api.Operations):
    """A client of the API.

    It sends a request again if the network fails, or after 429 or 5xx, and waits as long as the service says. After
    ``give_up_after`` seconds, it raises ``Unreachable`` or ``ApiError``. If a response is not what was asked for, it raises
    ``UnexpectedResponse`` at once. All times are seconds.

    :param base: the URL of the API, which ends with ``/api/v1``
    :param headers: headers of every request, such as ``User-Agent``
    :param client: sends the requests instead of the standard library
    """

    def __init__(
        self,
        base: str,
        *,
        headers: Mapping[str, str] | None = None,
        client: httpx.Client | None = None,
        idle_timeout: float = 30,
        first_pause: float = 1,
        give_up_after: float = 60,
        on_retry: Callable[[Retry], None] | None = None,
    ) -> None:
        self._base = api_url(base)
        self._patience = Patience(first_pause, give_up_after, on_retry)
        self._send = sender(client, headers, idle_timeout)

    def _get(self, path: str, query: dict[str, Any]) -> Any:
        return self._request(path, query, object_of)

    def _get_text(self, path: str, query: dict[str, Any], media_type: str) -> str:
        return self._request(path, query, lambda url, reply: text_of(url, reply, media_type))

    def _request(self, path: str, query: dict[str, Any], read: Callable[[str, Reply], Result]) -> Result:
        url = self._base + path + _query(query)
        return run(self._patience.steps(url, _keep_headers(url, read)), self._send)


class AsyncWiki(api.AsyncOperations):
    """``Wiki`` for ``asyncio``, with httpx. ``async with AsyncWiki(base) as wiki`` closes its connections at the end.

    :param client: sends the requests; the caller closes it
    """

    def __init__(
        self,
        base: str,
        *,
        headers: Mapping[str, str] | None = None,
        client: httpx.AsyncClient | None = None,
        idle_timeout: float = 30,
        first_pause: float = 1,
        give_up_after: float = 60,
        on_retry: Callable[[Retry], None] | None = None,
    ) -> None:
        import httpx

        self._base = api_url(base)
        self._patience = Patience(first_pause, give_up_after, on_retry)
        self._client = client or httpx.AsyncClient()
        self._closes = client is None
        self._send = httpx_async_client(self._client, headers or {}, idle_timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections, unless they are those of ``client``."""
        if self._closes:
            await self._client.aclose()

    async def _get(self, path: str, query: dict[str, Any]) -> Any:
        return await self._request(path, query, object_of)

    async def _get_text(self, path: str, query: dict[str, Any], media_type: str) -> str:
        return await self._request(path, query, lambda url, reply: text_of(url, reply, media_type))

    async def _request(self, path: str, query: dict[str, Any], read: Callable[[str, Reply], Result]) -> Result:
        url = self._base + path + _query(query)
        return await run_async(self._patience.steps(url, _keep_headers(url, read)), self._send)


def with_headers(
    operation: Callable[Parameters, Result], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> tuple[Result, Headers]:
    """What a method of a ``Wiki`` returns, and the headers of the response, such as ``ETag``.

    :param operation: the method, such as ``wiki.get_page``. Its parameters follow
    """
    received: list[Headers] = []
    token = _headers.set(received)
    try:
        result = operation(*args, **kwargs)
    finally:
        _headers.reset(token)
    return result, _last(received)


async def awith_headers(
    operation: Callable[Parameters, Awaitable[Result]], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> tuple[Result, Headers]:
    """``with_headers`` for a method of an ``AsyncWiki``."""
    received: list[Headers] = []
    token = _headers.set(received)
    try:
        result = await operation(*args, **kwargs)
    finally:
        _headers.reset(token)
    return result, _last(received)


def _last(received: list[Headers]) -> Headers:
    if not received:
        raise TypeError("with_headers takes a method of a Wiki, such as wiki.get_page")
    return received[-1]


def _keep_headers(url: str, read: Callable[[str, Reply], Result]) -> Callable[[Reply], Result]:
    def read_and_keep(reply: Reply) -> Result:
        result = read(url, reply)
        _headers.get([]).append(reply.headers)
        return result

    return read_and_keep


def sender(client: httpx.Client | None, headers: Mapping[str, str] | None, idle_timeout: float) -> Sender:
    """What sends requests: the client, or the standard library."""
    if client is None:
        return standard_library(headers or {}, idle_timeout)
    return httpx_client(client, headers or {}, idle_timeout)


def _query(query: dict[str, Any]) -> str:
    given = [
        (name, well_formed(_text(one)))
        for name, value in query.items()
        if value is not None
        for one in (value if isinstance(value, (list, tuple)) else [value])
    ]
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{value!r} needs a time zone, such as tzinfo=timezone.utc")
        return value.isoformat()
    return str(value)
