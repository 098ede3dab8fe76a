"""What sends requests: the standard library, or httpx."""

from __future__ import annotations

import asyncio
import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Awaitable, Callable, Mapping
from email.message import Message
from typing import TYPE_CHECKING, TypeVar

from ._requests import Interrupted, Pause, Reply, Steps

if TYPE_CHECKING:
    import httpx

Result = TypeVar("Result")
#: Sends a GET request to a URL.
Sender = Callable[[str], Reply]
AsyncSender = Callable[[str], Awaitable[Reply]]
#: A longer sleep is not possible everywhere.
LONGEST_SLEEP = 3600.0


def api_url(base: str) -> str:
    """The URL of the API without a slash at its end."""
    url = urllib.parse.urlsplit(base)
    if url.scheme.lower() not in ("http", "https") or not url.netloc:
        raise ValueError(f"The URL of the API must begin with http:// or https://: {base}")
    return urllib.parse.urlunsplit((url.scheme.lower(), url.netloc.lower(), url.path, "", "")).rstrip("/")


def run(steps: Steps[Result], send: Sender) -> Result:
    """Takes the steps of a request."""
    outcome: Reply | Interrupted | None = None
    while True:
        try:
            step = steps.send(outcome)
        except StopIteration as end:
            result: Result = end.value
            return result
        outcome = None
        if isinstance(step, Pause):
            time.sleep(min(step.seconds, LONGEST_SLEEP))
            continue
        try:
            outcome = send(step.url)
        except Interrupted as error:
            outcome = error


async def run_async(steps: Steps[Result], send: AsyncSender) -> Result:
    """Takes the steps of a request."""
    outcome: Reply | Interrupted | None = None
    while True:
        try:
            step = steps.send(outcome)
        except StopIteration as end:
            result: Result = end.value
            return result
        outcome = None
        if isinstance(step, Pause):
            await asyncio.sleep(min(step.seconds, LONGEST_SLEEP))
            continue
        try:
            outcome = await send(step.url)
        except Interrupted as error:
            outcome = error


def standard_library(headers: Mapping[str, str], idle_timeout: float) -> Sender:
    """Sends with ``urllib``."""

    def send(url: str) -> Reply:
        request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip", **headers})
        try:
            try:
                with urllib.request.urlopen(request, timeout=idle_timeout) as response:
                    return _reply(response.status, response.headers, response.read())
            except urllib.error.HTTPError as error:
                with error:
                    return _reply(error.code, error.headers, error.read())
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise Interrupted(str(error) or type(error).__name__) from error

    return send


def _reply(status: int, headers: Message, body: bytes) -> Reply:
    if headers.get("Content-Encoding") == "gzip" and body:
        unpacker = zlib.decompressobj(wbits=31)
        body = unpacker.decompress(body)
        if not unpacker.eof:
            raise Interrupted("the response is cut off")
    named = {name.lower(): value for name, value in headers.items()}
    return Reply(status, named, body)


def httpx_client(client: httpx.Client, headers: Mapping[str, str], idle_timeout: float) -> Sender:
    """Sends with a client of httpx."""
    import httpx

    def send(url: str) -> Reply:
        try:
            response = client.get(url, headers=dict(headers), timeout=idle_timeout, follow_redirects=True)
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise Interrupted(str(error) or type(error).__name__) from error
        return _httpx_reply(response)

    return send


def httpx_async_client(client: httpx.AsyncClient, headers: Mapping[str, str], idle_timeout: float) -> AsyncSender:
    """Sends with an asynchronous client of httpx."""
    import httpx

    async def send(url: str) -> Reply:
        try:
            response = await client.get(url, headers=dict(headers), timeout=idle_timeout, follow_redirects=True)
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise Interrupted(str(error) or type(error).__name__) from error
        return _httpx_reply(response)

    return send


def _httpx_reply(response: httpx.Response) -> Reply:
    named = {name.lower(): value for name, value in response.headers.items()}
    return Reply(response.status_code, named, response.content)
