"""Each change of a wiki, as it happens."""

from __future__ import annotations

import json
import math
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import aclosing, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import api
from ._events import Event
from ._mirror import Batch, Included, Progress
from ._requests import Patience, Retry
from ._stream import ChangeStream, EventsInTask, aevents, events
from ._transport import (
    asleep_until,
    async_listener,
    httpx_async_client,
    listener,
    open_async_client,
    run,
    run_async,
    sleep_until,
)
from ._wiki import sender

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True)
class FollowedChange:
    """A change, and what to store after it."""

    item: api.Change
    #: Store it when the item is applied. Where there is no stream, it is behind within a part of the list, and empty in
    #: the first: who starts again with it gets the items of this part twice.
    cursor: str


def follow(
    base: str,
    after: str | None = None,
    *,
    include: Sequence[Included] = (),
    locale: str | None = None,
    ns: str | None = None,
    limit: int = 200,
    poll: float = 60,
    headers: Mapping[str, str] | None = None,
    client: httpx.Client | None = None,
    idle_timeout: float = 30,
    first_pause: float = 1,
    give_up_after: float = math.inf,
    on_retry: Callable[[Retry], None] | None = None,
) -> Generator[FollowedChange, None, None]:
    """What the wiki has, then each change as it happens, in the order of commits.

    It reads the stream, and where there is none, the list again and again. It survives failures of the network and of
    the service, and ends when the loop over it does. The other parameters are those of ``mirror``.

    :param poll: time from one look for changes to the next, where there is no stream
    :raises UnknownCursor: if the service does not know ``after``
    :raises ApiError: if a request is wrong
    :raises Unreachable: after ``give_up_after``
    """
    send, listen = sender(client, headers, idle_timeout), listener(client, headers or {})
    progress = Progress(base, after, include, locale, ns, limit)
    patience = Patience(first_pause, give_up_after, on_retry)
    stream = ChangeStream(first_pause, idle_timeout, on_retry)
    if progress.cursor == "now":
        run(progress.steps(patience), send)
    while True:
        with closing(events(stream, progress.url, listen)) as found:
            for event in found:
                yield _change_of(event, progress)
        sleep_until(min(stream.opens_at, time.monotonic() + poll))
        # The list brings what the stream cannot, waits while the service is away, and tells if the request is wrong.
        is_current = False
        while not is_current:
            before = progress.cursor
            batch, _ = run(progress.steps(patience), send)
            yield from _changes_of(batch, before)
            is_current = batch.is_current
        if not stream.is_offered:
            sleep_until(time.monotonic() + poll)


async def afollow(
    base: str,
    after: str | None = None,
    *,
    include: Sequence[Included] = (),
    locale: str | None = None,
    ns: str | None = None,
    limit: int = 200,
    poll: float = 60,
    headers: Mapping[str, str] | None = None,
    client: httpx.AsyncClient | None = None,
    idle_timeout: float = 30,
    first_pause: float = 1,
    give_up_after: float = math.inf,
    on_retry: Callable[[Retry], None] | None = None,
) -> AsyncGenerator[FollowedChange, None]:
    """Like ``follow``, for ``asyncio``. It needs httpx."""
    async with open_async_client(client) as sending:
        send = httpx_async_client(sending, headers or {}, idle_timeout)
        listen = async_listener(sending, headers or {})
        progress = Progress(base, after, include, locale, ns, limit)
        patience = Patience(first_pause, give_up_after, on_retry)
        stream = ChangeStream(first_pause, idle_timeout, on_retry)
        if progress.cursor == "now":
            await run_async(progress.steps(patience), send)
        while True:
            async with aclosing(EventsInTask(aevents(stream, progress.url, listen))) as found:
                async for event in found:
                    yield _change_of(event, progress)
            await asleep_until(min(stream.opens_at, time.monotonic() + poll))
            is_current = False
            while not is_current:
                before = progress.cursor
                batch, _ = await run_async(progress.steps(patience), send)
                for change in _changes_of(batch, before):
                    yield change
                is_current = batch.is_current
            if not stream.is_offered:
                await asleep_until(time.monotonic() + poll)


def _change_of(event: Event, progress: Progress) -> FollowedChange:
    progress.cursor = event.id
    return FollowedChange(json.loads(event.data), event.id)


def _changes_of(batch: Batch, before: str) -> Iterator[FollowedChange]:
    """The items of a part of the list, of which only the last has a cursor."""
    for i, item in enumerate(batch.items):
        yield FollowedChange(item, batch.cursor if i == len(batch.items) - 1 else before)
