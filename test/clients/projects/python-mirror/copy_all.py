"""Prints what a mirror brings, one line for each batch, then the reason of each failure.

Usage: copy_all.py API urllib|httpx|async [AFTER]
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator

import httpx
from lectern_client import ApiError, Batch, Retry, UnknownCursor, Unreachable, amirror, mirror

reasons: list[str] = []


def note(retry: Retry) -> None:
    reasons.append(retry.reason)


async def batches(api: str, transport: str, after: str | None) -> AsyncIterator[Batch]:
    if transport == "async":
        async for batch in amirror(
            api, after, limit=10, idle_timeout=0.5, first_pause=0.001, give_up_after=5, on_retry=note
        ):
            yield batch
        return
    client = httpx.Client() if transport == "httpx" else None
    for batch in mirror(
        api, after, limit=10, client=client, idle_timeout=0.5, first_pause=0.001, give_up_after=5, on_retry=note
    ):
        yield batch


async def main(api: str, transport: str, after: str | None = None) -> None:
    try:
        async for batch in batches(api, transport, after):
            types = [(item["type"], item["path"]) for item in batch.items]
            print(json.dumps({"items": types, "cursor": batch.cursor, "is_current": batch.is_current}))
    except UnknownCursor as error:
        print(json.dumps({"unknown": error.code}))
    except ApiError as error:
        print(json.dumps({"status": error.status}))
    except Unreachable:
        print(json.dumps({"status": None}))
    print(json.dumps(reasons))


asyncio.run(main(*sys.argv[1:]))
