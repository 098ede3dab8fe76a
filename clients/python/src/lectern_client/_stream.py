"""The stream of a list of changes. It is opened again and again; what fails is only noted."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, closing

from ._events import Event, EventReader
from ._requests import Interrupted, Retry, Silence, is_temporary, pause_after, retry_after
from ._transport import AsyncListener, Listener, asleep_until, sleep_until

# Who looks more often than that, seconds, needs no stream.
SHORTEST_STREAM = 5
# Seconds after which a service without streams may have them.
OFFERED_AGAIN = 600
# Seconds until the next stream, if none said it.
RETRY = 3.0


class ChangeStream:
    """What is known of the streams of a service."""

    def __init__(self, first_pause: float, idle_timeout: float, on_retry: Callable[[Retry], None] | None) -> None:
        self.idle_timeout = idle_timeout
        #: The time of ``time.monotonic()`` before which the service wants no other request for a stream.
        self.opens_at = -math.inf
        self._first_pause = first_pause
        self._on_retry = on_retry
        # How often in succession there was no stream: the service is too busy, or is away.
        self._failures = 0
        self._offered_at = -math.inf

    @property
    def is_offered(self) -> bool:
        """Whether there are streams, as far as is known."""
        return time.monotonic() >= self._offered_at

    def is_missing(self) -> None:
        self._offered_at = time.monotonic() + OFFERED_AGAIN

    def has_failed(self, reason: str, told: float | None = None) -> None:
        self._failures += 1
        pause = max(
            pause_after(self._failures, self._first_pause), pause_after(self._failures, self._first_pause, told)
        )
        self.opens_at = time.monotonic() + pause
        if self._on_retry is not None:
            self._on_retry(Retry(reason, self._failures, pause))

    def has_ended(self, retry: float | None) -> None:
        self._failures = 0
        # The random part keeps clients apart whose streams ended at the same time.
        self.opens_at = time.monotonic() + (RETRY if retry is None else retry) * (1 + random.random() / 2)


class _Connection:
    """One connection to a stream, until a time of ``time.monotonic()``."""

    def __init__(self, stream: ChangeStream, until: float) -> None:
        self._stream = stream
        self._until = until
        self._events = EventReader()
        self._has_begun = False

    @property
    def idle_timeout(self) -> float:
        return max(min(self._stream.idle_timeout, self._until - time.monotonic()), 0.01)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._until

    def is_stream(self, status: int, headers: Mapping[str, str]) -> bool:
        if status == 200 and headers.get("content-type", "").lower().startswith("text/event-stream"):
            return True
        if is_temporary(status):
            self._stream.has_failed(f"stream: status {status}", retry_after(headers))
        else:
            self._stream.is_missing()
        return False

    def read(self, chunk: bytes) -> list[Event]:
        self._has_begun = True
        return self._events.read(chunk)

    def has_failed(self, error: Interrupted) -> None:
        if self._has_begun or self.is_over:
            return
        # The first bytes come at once, unless a proxy collects them.
        if isinstance(error, Silence):
            self._stream.is_missing()
        else:
            self._stream.has_failed(str(error))

    def close(self) -> None:
        if self._has_begun:
            self._stream.has_ended(self._events.retry)


def events(
    stream: ChangeStream, url: str, listen: Listener, until: float = math.inf
) -> Generator[Event, None, None]:
    """The events of one connection: none if there is no stream, or it fails."""
    if not stream.is_offered:
        return
    connection = _Connection(stream, until)
    try:
        with listen(url, connection.idle_timeout) as opened:
            if not connection.is_stream(opened.status, opened.headers):
                return
            for chunk in opened.chunks:
                yield from connection.read(chunk)
                if connection.is_over:
                    return
    except Interrupted as error:
        connection.has_failed(error)
    finally:
        connection.close()


async def aevents(
    stream: ChangeStream, url: str, listen: AsyncListener, until: float = math.inf
) -> AsyncGenerator[Event, None]:
    """Like ``events``, for ``asyncio``."""
    if not stream.is_offered:
        return
    connection = _Connection(stream, until)
    try:
        async with listen(url, connection.idle_timeout) as opened:
            if not connection.is_stream(opened.status, opened.headers):
                return
            async for chunk in opened.chunks:
                for event in connection.read(chunk):
                    yield event
                if connection.is_over:
                    return
    except Interrupted as error:
        connection.has_failed(error)
    finally:
        connection.close()


class EventsInTask:
    """Events that a task of its own reads. When a program leaves a loop over ``afollow`` and ends, asyncio closes all
    generators at once, but ends tasks before: so the generators that read, also those of httpx, are closed in their order.
    """

    def __init__(self, events: AsyncGenerator[Event, None]) -> None:
        self._read: asyncio.Queue[Event | Exception | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._read_all(events))

    async def _read_all(self, events: AsyncGenerator[Event, None]) -> None:
        end = None
        try:
            async with aclosing(events):
                async for event in events:
                    self._read.put_nowait(event)
                    await self._read.join()
        except Exception as error:
            end = error
        finally:
            # Also if the task is cancelled: who waits for the next event would wait forever.
            self._read.put_nowait(end)

    def __aiter__(self) -> EventsInTask:
        return self

    async def __anext__(self) -> Event:
        event = await self._read.get()
        self._read.task_done()
        if event is None:
            raise StopAsyncIteration
        if isinstance(event, Exception):
            raise event
        return event

    async def aclose(self) -> None:
        self._task.cancel()
        await asyncio.wait({self._task})


def wait_for_change(stream: ChangeStream, url: str, listen: Listener, seconds: float) -> None:
    """Waits until there is something to read after the cursor of a URL, or for ``seconds``."""
    end = time.monotonic() + seconds
    if seconds >= SHORTEST_STREAM and stream.is_offered:
        with closing(events(stream, url, listen, end)) as found:
            for _ in found:
                return
        end = _next_look(stream, end)
    sleep_until(end)


async def await_change(stream: ChangeStream, url: str, listen: AsyncListener, seconds: float) -> None:
    """Like ``wait_for_change``, for ``asyncio``."""
    end = time.monotonic() + seconds
    if seconds >= SHORTEST_STREAM and stream.is_offered:
        async with aclosing(aevents(stream, url, listen, end)) as found:
            async for _ in found:
                return
        end = _next_look(stream, end)
    await asleep_until(end)


def _next_look(stream: ChangeStream, end: float) -> float:
    # The next look finds out what happened to a stream that has ended, or was refused.
    return min(end, stream.opens_at) if stream.is_offered else end
