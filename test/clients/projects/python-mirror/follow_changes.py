"""Prints each change as it comes, then each reason of a failure, for ever.

Usage: follow_changes.py API urllib|httpx|async follow|mirror IDLE_TIMEOUT [AFTER [POLL]]
With `mirror`, it looks once an hour, unless a stream tells it to.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator

import httpx
from lectern_client import FollowedChange, Retry, UnknownCursor, afollow, amirror, follow, mirror


def say(value: object) -> None:
    print(json.dumps(value), flush=True)


def note(retry: Retry) -> None:
    say({"reason": retry.reason})


async def changes(
    api: str, transport: str, idle: float, after: str | None, poll: float
) -> AsyncIterator[FollowedChange]:
    if transport == "async":
        async for change in afollow(
            api, after, limit=2, poll=poll, idle_timeout=idle, first_pause=0.01, on_retry=note
        ):
            yield change
        return
    client = httpx.Client() if transport == "httpx" else None
    for change in follow(
        api, after, limit=2, poll=poll, idle_timeout=idle, first_pause=0.01, client=client, on_retry=note
    ):
        yield change


async def mirrored(api: str, transport: str) -> AsyncIterator[FollowedChange]:
    if transport == "async":
        async for batch in amirror(api, poll=3600, include=["markdown"]):
            for item in batch.items:
                yield FollowedChange(item, batch.cursor)
        return
    client = httpx.Client() if transport == "httpx" else None
    for batch in mirror(api, poll=3600, include=["markdown"], client=client):
        for item in batch.items:
            yield FollowedChange(item, batch.cursor)


async def main(api: str, transport: str, mode: str, idle: str, after: str | None = None, poll: str = "0.01") -> None:
    found = mirrored(api, transport) if mode == "mirror" else changes(api, transport, float(idle), after, float(poll))
    try:
        async for change in found:
            say({"type": change.item["type"], "path": change.item["path"], "cursor": change.cursor})
    except UnknownCursor as error:
        say({"reason": error.code})


asyncio.run(main(*sys.argv[1:]))
