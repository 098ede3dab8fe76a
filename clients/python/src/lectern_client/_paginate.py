"""Walk a list of the API to its end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, Generic, Literal, ParamSpec, Protocol, TypedDict, TypeVar, overload

from .api import NEXT_PARAMETERS, ListPagesInclude

Item = TypeVar("Item")
Result = TypeVar("Result", covariant=True)
Parameters = ParamSpec("Parameters")


class ListPart(TypedDict, Generic[Item]):
    """One part of a list."""

    items: list[Item]
    next: str


class WithPath(Protocol[Result]):
    """``list_pages`` with ``path``. Type checkers do not match each overload of a method to ``Parameters``."""

    def __call__(self, *, path: Sequence[str]) -> Result: ...


class WithoutPath(Protocol[Result]):
    """``list_pages`` without ``path``."""

    def __call__(self, *, path: None = None) -> Result: ...


@overload
def paginate(
    operation: WithoutPath[ListPart[Item]],
    *,
    ns: Literal["main", "template", "page_template", "module"] | None = None,
    locale: str | None = None,
    prefix: str | None = None,
    limit: int | None = None,
    after: str | None = None,
    include: Sequence[ListPagesInclude] | None = None,
    path: None = None,
    position: bool | None = None,
) -> Iterator[Item]: ...


@overload
def paginate(
    operation: WithPath[ListPart[Item]],
    *,
    ns: Literal["main", "template", "page_template", "module"] | None = None,
    locale: str | None = None,
    prefix: str | None = None,
    limit: int | None = None,
    after: str | None = None,
    include: Sequence[ListPagesInclude] | None = None,
    path: Sequence[str] | None,
    position: bool | None = None,
) -> Iterator[Item]: ...


@overload
def paginate(
    operation: Callable[Parameters, ListPart[Item]], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> Iterator[Item]: ...


def paginate(operation: Callable[..., ListPart[Any]], *args: Any, **kwargs: Any) -> Iterator[Any]:
    """The items of a list, to its end. It requests each part when its first item is needed.

    :param operation: a list of a ``Wiki``, such as ``wiki.list_pages``. Its parameters follow; ``limit`` is that of a part
    """
    return _items(operation, _next_parameter(operation, kwargs), args, kwargs)


def _items(
    operation: Callable[..., ListPart[Any]], next_parameter: str, args: Any, given: dict[str, Any]
) -> Iterator[Any]:
    while True:
        part = operation(*args, **given)
        yield from part["items"]
        if part["next"] == "":
            return
        given[next_parameter] = part["next"]


@overload
def apaginate(
    operation: WithoutPath[Awaitable[ListPart[Item]]],
    *,
    ns: Literal["main", "template", "page_template", "module"] | None = None,
    locale: str | None = None,
    prefix: str | None = None,
    limit: int | None = None,
    after: str | None = None,
    include: Sequence[ListPagesInclude] | None = None,
    path: None = None,
    position: bool | None = None,
) -> AsyncIterator[Item]: ...


@overload
def apaginate(
    operation: WithPath[Awaitable[ListPart[Item]]],
    *,
    ns: Literal["main", "template", "page_template", "module"] | None = None,
    locale: str | None = None,
    prefix: str | None = None,
    limit: int | None = None,
    after: str | None = None,
    include: Sequence[ListPagesInclude] | None = None,
    path: Sequence[str] | None,
    position: bool | None = None,
) -> AsyncIterator[Item]: ...


@overload
def apaginate(
    operation: Callable[Parameters, Awaitable[ListPart[Item]]], *args: Parameters.args, **kwargs: Parameters.kwargs
) -> AsyncIterator[Item]: ...


def apaginate(operation: Callable[..., Awaitable[ListPart[Any]]], *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
    """``paginate`` for a list of an ``AsyncWiki``."""
    return _aitems(operation, _next_parameter(operation, kwargs), args, kwargs)


async def _aitems(
    operation: Callable[..., Awaitable[ListPart[Any]]], next_parameter: str, args: Any, given: dict[str, Any]
) -> AsyncIterator[Any]:
    while True:
        part = await operation(*args, **given)
        for item in part["items"]:
            yield item
        if part["next"] == "":
            return
        given[next_parameter] = part["next"]


def _next_parameter(operation: Callable[..., Any], given: dict[str, Any]) -> str:
    name = getattr(operation, "__name__", repr(operation))
    if name not in NEXT_PARAMETERS:
        raise TypeError(f"paginate takes a method that returns a list, such as wiki.list_pages, not {name}")
    return "after" if given.get("order") == "asc" else NEXT_PARAMETERS[name]
