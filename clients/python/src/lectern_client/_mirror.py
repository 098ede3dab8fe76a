"""Everything that changed in a wiki, as batches."""

from __future__ import annotations

import math
import urllib.parse
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from . import api
from ._errors import json_of
from ._requests import Patience, Reply, Retry, Steps
from ._stream import ChangeStream, await_change, wait_for_change
from ._text import well_formed
from ._transport import (
    api_url,
    async_listener,
    httpx_async_client,
    listener,
    open_async_client,
    run,
    run_async,
)
from ._wiki import sender

if TYPE_CHECKING:
    import httpx

#: What pages can contain besides their title and last revision.
Included: TypeAlias = api.ListChangesInclude


@dataclass(frozen=True)
class Batch:
    """Changes to apply, and what to store after that."""

    #: Each page at most once, in the state that it has now. Apply them, in any order.
    items: list[api.Change]
    #: Store it when the items are applied, if you can in the same transaction.
    cursor: str
    #: Whether the copy is what the wiki was a moment ago: no more changes wait.
    is_current: bool


def mirror(
    base: str,
    after: str | None = None,
    *,
    include: Sequence[Included] = (),
    locale: str | None = None,
    ns: str | None = None,
    limit: int = 200,
    poll: float | None = None,
    headers: Mapping[str, str] | None = None,
    client: httpx.Client | None = None,
    idle_timeout: float = 30,
    first_pause: float = 1,
    give_up_after: float | None = None,
    on_retry: Callable[[Retry], None] | None = None,
) -> Generator[Batch, None, None]:
    """Everything that changed in a wiki.

    Apply the items of a batch, then store its cursor. Start again with this cursor after any interruption: at worst,
    the items of one batch come twice. It sends one request at a time, and survives failures of the network and of the
    service. All times are seconds.

    :param base: the URL of the API, which ends with ``/api/v1``
    :param after: the cursor that you stored last, or ``now``; without it, the mirror begins with an empty copy
    :param include: what each page contains besides its title and last revision
    :param locale: only pages of this language
    :param ns: only pages of this namespace
    :param limit: how many pages a request may bring at most, 1 to 200
    :param poll: time from one look for changes to the next; from 5 on, a stream tells changes at once, if the service
        offers it. With it, the mirror never ends. Without it, it ends as soon as the copy is current
    :param headers: headers of every request, such as ``User-Agent``
    :param client: sends the requests instead of the standard library
    :param idle_timeout: without a byte for this time, a request has failed
    :param first_pause: pause after the first failure. It doubles with each further one, up to 60
    :param give_up_after: for how long a request is sent again and again. Default: 900; with ``poll``, for ever
    :param on_retry: called before each pause after a failure
    :raises UnknownCursor: if the service does not know ``after``
    :raises ApiError: if a request is wrong
    :raises Unreachable: after ``give_up_after``
    """
    send = sender(client, headers, idle_timeout)
    progress = Progress(base, after, include, locale, ns, limit)
    patience = Patience(first_pause, give_up_after_of(give_up_after, poll), on_retry)
    stream, listen = ChangeStream(first_pause, idle_timeout, on_retry), listener(client, headers or {})
    while True:
        batch, is_new = run(progress.steps(patience), send)
        if is_new:
            yield batch
        if not batch.is_current:
            continue
        if poll is None:
            return
        wait_for_change(stream, progress.url_of_titles, listen, poll)


async def amirror(
    base: str,
    after: str | None = None,
    *,
    include: Sequence[Included] = (),
    locale: str | None = None,
    ns: str | None = None,
    limit: int = 200,
    poll: float | None = None,
    headers: Mapping[str, str] | None = None,
    client: httpx.AsyncClient | None = None,
    idle_timeout: float = 30,
    first_pause: float = 1,
    give_up_after: float | None = None,
    on_retry: Callable[[Retry], None] | None = None,
) -> AsyncGenerator[Batch, None]:
    """Like ``mirror``, for ``asyncio``. It needs httpx."""
    async with open_async_client(client) as sending:
        send = httpx_async_client(sending, headers or {}, idle_timeout)
        progress = Progress(base, after, include, locale, ns, limit)
        patience = Patience(first_pause, give_up_after_of(give_up_after, poll), on_retry)
        stream, listen = ChangeStream(first_pause, idle_timeout, on_retry), async_listener(sending, headers or {})
        while True:
            batch, is_new = await run_async(progress.steps(patience), send)
            if is_new:
                yield batch
            if not batch.is_current:
                continue
            if poll is None:
                return
            await await_change(stream, progress.url_of_titles, listen, poll)


def give_up_after_of(given: float | None, poll: float | None) -> float:
    if given is not None:
        return given
    return 900 if poll is None else math.inf


class Progress:
    """How far one has read the list of changes."""

    def __init__(
        self,
        base: str,
        after: str | None,
        include: Sequence[Included],
        locale: str | None,
        ns: str | None,
        limit: int,
    ) -> None:
        self._url = f"{api_url(base)}/changes"
        query = {"include": ",".join(include), "locale": locale, "ns": ns, "limit": str(limit)}
        self._query = {name: value for name, value in query.items() if value}
        self.cursor = after or ""
        self._was_current = False

    @property
    def url(self) -> str:
        """The URL of what comes next."""
        return self._url_of(self._query)

    @property
    def url_of_titles(self) -> str:
        """The URL of the same without what pages contain, which is enough to learn that something changed."""
        return self._url_of({name: value for name, value in self._query.items() if name != "include"})

    def _url_of(self, query: Mapping[str, str]) -> str:
        given = {**query, **({"after": self.cursor} if self.cursor else {})}
        return f"{self._url}?{urllib.parse.urlencode({name: well_formed(value) for name, value in given.items()})}"

    def steps(self, patience: Patience) -> Steps[tuple[Batch, bool]]:
        """The steps that bring the next batch. The second part of their result: whether it says anything new."""
        batch = yield from patience.steps(self.url, self._read)
        is_new = (
            len(batch.items) > 0 or batch.cursor != self.cursor or batch.is_current != self._was_current
        )
        self.cursor = batch.cursor
        self._was_current = batch.is_current
        return batch, is_new

    def _read(self, reply: Reply) -> Batch:
        part = json_of(reply)
        try:
            items, next, cursor = part["items"], part["next"], part["cursor"]
        except (KeyError, TypeError):
            items, next, cursor = None, None, None
        is_valid = isinstance(items, list) and isinstance(next, str) and isinstance(cursor, str)
        # A list that does not go on would never end.
        if not is_valid or cursor == "" or (next != "" and next == self.cursor):
            raise ValueError("the response is not a part of the list of changes")
        # A part can end before `limit`: `next` says where.
        return Batch(items, next or cursor, next == "")
