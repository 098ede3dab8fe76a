"""Cancels the task that reads events, also while nobody takes one, and prints the events and that they have ended."""

import asyncio
import json
from collections.abc import AsyncGenerator

from lectern_client._events import Event
from lectern_client._stream import EventsInTask


async def one_event() -> AsyncGenerator[Event, None]:
    yield Event("1", "first")
    raise asyncio.CancelledError


async def many_events() -> AsyncGenerator[Event, None]:
    for number in range(1000):
        yield Event(str(number), "one of many")


async def main() -> None:
    async for event in EventsInTask(one_event()):
        print(json.dumps(event.data))
    print(json.dumps("end"))
    unread = EventsInTask(many_events())
    print(json.dumps((await anext(unread)).data))
    await unread.aclose()
    print(json.dumps("closed"))


asyncio.run(asyncio.wait_for(main(), 10))
