"""What sends requests: the standard library, or httpx."""

from __future__ import annotations

import asyncio
import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from dataclasses import dataclass
from email.message import Message
from typing import TYPE_CHECKING, Generic, TypeVar

from ._requests import Headers, Interrupted, Pause, Reply, Silence, Steps

if TYPE_CHECKING:
    import httpx

Result = TypeVar("Result")
Chunks = TypeVar("Chunks")
#: Sends a GET request to a URL.
Sender = Callable[[str], Reply]
AsyncSender = Callable[[str], Awaitable[Reply]]


@dataclass(frozen=True)
class Opened(Generic[Chunks]):
    """A response whose body has not been read."""

    status: int
    headers: Headers
    chunks: Chunks


#: Opens the stream at a URL. The number is the longest time without a byte.
Listener = Callable[[str, float], AbstractContextManager[Opened[Iterator[bytes]]]]
AsyncListener = Callable[[str, float], AbstractAsyncContextManager[Opened[AsyncIterator[bytes]]]]
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


def sleep_until(end: float) -> None:
    """Waits until a time of ``time.monotonic()``."""
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, LONGEST_SLEEP))


async def asleep_until(end: float) -> None:
    """Waits until a time of ``time.monotonic()``."""
    while (left := end - time.monotonic()) > 0:
        await asyncio.sleep(min(left, LONGEST_SLEEP))


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
    return Reply(status, Headers(headers), body)


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


def open_async_client(client: httpx.AsyncClient | None) -> AbstractAsyncContextManager[httpx.AsyncClient]:
    """The client of the caller, or one of httpx that is closed at the end."""
    if client is not None:
        return nullcontext(client)
    import httpx

    opened: AbstractAsyncContextManager[httpx.AsyncClient] = httpx.AsyncClient()
    return opened


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
    return Reply(response.status_code, Headers(response.headers), response.content)


def listener(client: httpx.Client | None, headers: Mapping[str, str]) -> Listener:
    """Opens streams with a client of httpx, or with ``urllib``."""

    @contextmanager
    def with_urllib(url: str, idle_timeout: float) -> Iterator[Opened[Iterator[bytes]]]:
        request = urllib.request.Request(url, headers=_for_events(headers))
        try:
            try:
                response = urllib.request.urlopen(request, timeout=idle_timeout)
            except urllib.error.HTTPError as error:
                response = error
            with response:

                def read() -> bytes:
                    chunk: bytes = response.read1(65536)
                    return chunk

                yield Opened(response.status, Headers(response.headers), iter(read, b""))
        except TimeoutError as error:
            raise Silence(str(error)) from error
        except (OSError, http.client.HTTPException) as error:
            raise Interrupted(str(error) or type(error).__name__) from error

    @contextmanager
    def with_httpx(url: str, idle_timeout: float) -> Iterator[Opened[Iterator[bytes]]]:
        assert client is not None
        with _httpx_failures(), client.stream(
            "GET", url, headers=_for_events(headers), timeout=idle_timeout, follow_redirects=True
        ) as response:
            yield Opened(response.status_code, Headers(response.headers), response.iter_bytes())

    return with_urllib if client is None else with_httpx


def async_listener(client: httpx.AsyncClient, headers: Mapping[str, str]) -> AsyncListener:
    """Opens streams with an asynchronous client of httpx."""

    @asynccontextmanager
    async def listen(url: str, idle_timeout: float) -> AsyncIterator[Opened[AsyncIterator[bytes]]]:
        with _httpx_failures():
            async with client.stream(
                "GET", url, headers=_for_events(headers), timeout=idle_timeout, follow_redirects=True
            ) as response:
                yield Opened(response.status_code, Headers(response.headers), response.aiter_bytes())

    return listen


def _for_events(headers: Mapping[str, str]) -> dict[str, str]:
    return {**headers, "Accept": "text/event-stream"}


@contextmanager
def _httpx_failures() -> Iterator[None]:
    import httpx

    try:
        yield
    except httpx.ReadTimeout as error:
        raise Silence(str(error) or "nothing came") from error
    except (httpx.TransportError, httpx.DecodingError) as error:
        raise Interrupted(str(error) or type(error).__name__) from error
