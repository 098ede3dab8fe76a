"""Walk a list of the API to its end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, ParamSpec, TypedDict, TypeVar

from .api import NEXT_PARAMETERS

Item = TypeVar("Item")
Parameters = ParamSpec("Parameters")


class ListPart(TypedDict, Generic[Item]):
    """One part of a list."""

    items: list[Item]
    next: str


def paginate(
    operation: Callable[Parameters, ListPart[Item]], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> Iterator[Item]:
    """The items of a list, to its end. It requests each part when its first item is needed.

    :param operation: a list of a ``Wiki``, such as ``wiki.list_pages``. Its parameters follow; ``limit`` is that of a part
    """
    given: dict[str, Any] = dict(kwargs)
    while True:
        part = operation(*args, **given)
        yield from part["items"]
        if part["next"] == "":
            return
        given[NEXT_PARAMETERS[operation.__name__]] = part["next"]


async def apaginate(
    operation: Callable[Parameters, Awaitable[ListPart[Item]]], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> AsyncIterator[Item]:
    """``paginate`` for a list of an ``AsyncWiki``."""
    given: dict[str, Any] = dict(kwargs)
    while True:
        part = await operation(*args, **given)
        for item in part["items"]:
            yield item
        if part["next"] == "":
            return
        given[NEXT_PARAMETERS[operation.__name__]] = part["next"]
