"""Server-sent events, as WHATWG's HTML describes them."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """An event of a stream."""

    #: The last ``id`` so far; empty if there was none.
    id: str
    data: str


class EventReader:
    """Reads events from bytes that come in parts."""

    def __init__(self) -> None:
        #: What ``retry`` said last, seconds.
        self.retry: float | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        # The line whose end has not come.
        self._rest = ""
        self._id = ""
        self._data: list[str] = []

    def read(self, chunk: bytes) -> list[Event]:
        """The events that are complete now."""
        # A CR at the end can be half of a line break.
        *lines, self._rest = re.split(r"\r\n|\n|\r(?!\Z)", self._rest + self._decoder.decode(chunk))
        return [event for line in lines if (event := self._read_line(line)) is not None]

    def _read_line(self, line: str) -> Event | None:
        if line == "":
            data, self._data = "\n".join(self._data), []
            return Event(self._id, data) if data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and re.fullmatch("[0-9]{1,9}", value):
            self.retry = int(value) / 1000
        return None
