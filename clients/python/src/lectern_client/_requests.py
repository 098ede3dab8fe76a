"""How a request is sent until it has a response. Nothing here sends or waits: the callers do, with threads or without."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import TypeVar, Union

LONGEST_PAUSE = 60.0
#: What to do if the answer is not that of a Lectern.
CHECK_BASE = "Check the URL of the API: that of a Lectern ends with /api/v1"


class Headers(Mapping[str, str]):
    """The headers of a response. The letter case of a name does not matter. Repeated headers are one, with commas."""

    def __init__(self, headers: Mapping[str, str] | Message | None = None) -> None:
        self._values: dict[str, str] = {}
        for name, value in headers.items() if headers else ():
            earlier = self._values.get(name.lower())
            self._values[name.lower()] = str(value) if earlier is None else f"{earlier}, {value}"

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values})"


@dataclass(frozen=True)
class Reply:
    """A response that was received to its end."""

    status: int
    headers: Headers
    body: bytes

    @property
    def text(self) -> str:
        """The body as UTF-8."""
        return self.body.decode("utf-8", "replace")


@dataclass(frozen=True)
class Retry:
    """Why a request is sent again, and when."""

    #: What failed, for people.
    reason: str
    #: How often the request has failed.
    attempts: int
    #: Seconds until the next attempt.
    pause: float


class Interrupted(Exception):
    """No response came, or only a part of one."""


class Silence(Interrupted):
    """No byte came for too long."""


class Unreachable(Exception):
    """No response, although the request was sent again for as long as it may be."""


class UnexpectedResponse(Exception):
    """A response with status 200 that is not what was asked for, such as the page of a proxy."""

    def __init__(self, url: str, reply: Reply, expected: str) -> None:
        found = reply.headers.get("Content-Type", "a response without Content-Type")
        super().__init__(f"{url}: expected {expected}, received {found}: {reply.text[:100]!r}. {CHECK_BASE}")
        self.headers = reply.headers
        self.text = reply.text


class ApiError(Exception):
    """The service answered that a request is wrong. Sending it again does not help."""

    def __init__(self, status: int, code: str, message: str, headers: Headers | None = None) -> None:
        super().__init__(message)
        self.status = status
        #: Such as ``bad_parameter``. Empty if the response is not one of the API.
        self.code = code
        #: For people.
        self.message = message
        self.headers = headers or Headers()

    @property
    def request_id(self) -> str | None:
        """What the operator of the service finds the request by."""
        return self.headers.get("X-Request-Id")

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before the next request, if the service says so."""
        return retry_after(self.headers)

    @property
    def moved_to(self) -> str | None:
        """With a 404: the URL in the API of the page at its new path, if it moved."""
        found = re.search(r'<([^>]*)>;\s*rel="successor-version"', self.headers.get("Link", ""))
        return found[1] if found else None

    @property
    def invalid_parameters(self) -> list[str]:
        """With a 400: the names of the parameters that are invalid."""
        return [name for name in re.split(r",\s*", self.headers.get("Lectern-Invalid-Parameters", "")) if name]


class UnknownCursor(ApiError):
    """The service does not know the cursor: its database is another one, or was restored from a backup.

    Begin again without a cursor, and at the end remove what did not come.
    """


@dataclass(frozen=True)
class Send:
    """A step: send this request."""

    url: str


@dataclass(frozen=True)
class Pause:
    """A step: wait so many seconds."""

    seconds: float


Step = Union[Send, Pause]
Result = TypeVar("Result")
#: What sends the steps of a request, and gets back what came: a reply, what failed, or nothing after a pause.
Steps = Generator[Step, Union[Reply, Interrupted, None], Result]


@dataclass
class Patience:
    """When a request is sent again. All times are seconds."""

    first_pause: float
    give_up_after: float
    on_retry: Callable[[Retry], None] | None
    _opens_at: float = field(default=0.0, init=False)

    def steps(self, url: str, read: Callable[[Reply], Result]) -> Steps[Result]:
        """The steps of one request.

        :param read: reads a reply; raises ``ValueError`` if it is not what was asked for, such as the page of a proxy
        """
        started_at = time.monotonic()
        attempts = 0
        while True:
            while (pause := self._opens_at - time.monotonic()) > 0:
                yield Pause(pause)
            outcome = yield Send(url)
            attempts += 1
            failure: Exception
            told: float | None = None
            if isinstance(outcome, Reply):
                try:
                    result = read(outcome)
                except ValueError as error:
                    failure = error
                except ApiError as error:
                    if not is_temporary(error.status):
                        raise
                    failure = error
                    told = retry_after(outcome.headers)
                else:
                    self._close(_seconds_until_quota(outcome.headers))
                    return result
            else:
                failure = outcome if outcome is not None else Interrupted("no response")
            wait = pause_after(attempts, self.first_pause, told)
            if time.monotonic() + wait > started_at + self.give_up_after:
                if isinstance(failure, ApiError):
                    raise failure
                raise Unreachable(f"{url}: {failure}") from failure
            if self.on_retry is not None:
                self.on_retry(Retry(str(failure), attempts, wait))
            self._close(wait)

    def _close(self, seconds: float) -> None:
        self._opens_at = max(self._opens_at, time.monotonic() + seconds)


def is_temporary(status: int) -> bool:
    """Whether the same request can succeed after a response with this status."""
    return status >= 500 or status in (408, 425, 429)


def pause_after(attempts: int, first: float, told: float | None = None) -> float:
    """Seconds until the next attempt. ``told`` is what ``Retry-After`` says."""
    # The random part keeps clients apart that were refused at the same time.
    if told is not None and told >= 1:
        return told + random.random() * min(told / 10, 5)
    longest = min(first * 2.0 ** min(attempts - 1, 30), LONGEST_PAUSE)
    return longest * (0.5 + random.random() / 2)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds in ``Retry-After``, which may also be a date."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    try:
        return parsedate_to_datetime(value).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return None


def _seconds_until_quota(headers: Mapping[str, str]) -> float:
    """Seconds until the service answers again, from a header such as ``RateLimit: "default";r=0;t=12``."""
    value = headers.get("ratelimit", "")
    seconds = re.search(r";\s*t=([0-9]{1,6})\b", value)
    return float(seconds[1]) if seconds and re.search(r";\s*r=0\b", value) else 0.0
