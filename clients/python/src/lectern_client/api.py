"""Types and operations of the API. `npm run generate` writes this file from schema/openapi.json."""

from __future__ import annotations

import urllib.parse
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, cast


def _path(start: str, *rest: str) -> str:
    """A path whose parts at odd places are values."""
    return start + "".join(urllib.parse.quote(part, safe="") if i % 2 == 0 else part for i, part in enumerate(rest))


class ErrorAnswer(TypedDict):
    """The body of every error."""

    error: ErrorDetail


class ErrorDetail(TypedDict):
    """The details of an error."""

    code: ErrorCode
    message: str


ErrorCode: TypeAlias = "str"


class Wiki(TypedDict):
    """The wiki, its languages, and the endpoints and limits of this API."""

    name: str
    version: Literal["1"]
    url: str
    locale: str
    locales: list[Locale]
    namespaces: list[Namespace]
    license: str
    attribution: str
    limits: Limits
    endpoints: dict[str, str]
    openapi: str
    docs: str


class Locale(TypedDict):
    """A language of the wiki."""

    locale: str
    name: str
    url: str


class Namespace(TypedDict):
    """A namespace whose pages can be listed."""

    ns: ListedNamespace
    prefix: str


ListedNamespace: TypeAlias = "str"


class Limits(TypedDict):
    """Limits of this instance."""

    requests_per_minute: int
    list_limit_max: int
    search_limit_max: int
    cache_seconds: int


class PageList(TypedDict):
    """One part of the list of pages."""

    items: list[PageItem]
    next: str


class PageItem(TypedDict):
    """A page in a list."""

    path: str
    title: str
    locale: str
    ns: ListedNamespace
    url: str
    revision: RevisionReference


class RevisionReference(TypedDict):
    """The last accepted edit of a page."""

    id: str
    created_at: str
    author: Author


class Author(TypedDict):
    """The author of an edit."""

    name: str


class HistoryList(TypedDict):
    """One part of the history of a page."""

    items: list[HistoryItem]
    next: str


class HistoryItem(TypedDict):
    """An accepted edit."""

    id: str
    created_at: str
    author: Author
    comment: str
    size: int
    url: str


class Page(TypedDict):
    """A live page at its last accepted edit."""

    path: str
    title: str
    locale: str
    url: str
    revision: RevisionReference
    categories: list[CategoryReference]
    translations: list[Translation]
    markdown: NotRequired[str]
    html: NotRequired[str]
    license: str


class CategoryReference(TypedDict):
    """A category of the wiki."""

    key: str
    name: str
    url: str


class Translation(TypedDict):
    """The page in another language."""

    locale: str
    title: str
    url: str


class Revision(TypedDict):
    """An accepted edit, with the text of the page after it."""

    id: str
    created_at: str
    author: Author
    comment: str
    size: int
    page: PageReference
    parent: str | None
    markdown: NotRequired[str]
    html: NotRequired[str]
    license: str


class PageReference(TypedDict):
    """A page, without its text."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str


PageNamespace: TypeAlias = "str"


class SearchList(TypedDict):
    """One part of the search results, best match first."""

    items: list[SearchHit]
    next: str


class SearchHit(TypedDict):
    """A page that matches the query, with excerpts."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
    passages: list[Passage]


class Passage(TypedDict):
    """An excerpt of the page around matches."""

    text: str
    highlights: list[list[int]]


class RecentList(TypedDict):
    """One part of the recent edits."""

    items: list[RecentItem]
    next: str


class RecentItem(TypedDict):
    """An accepted edit, with its page."""

    id: str
    created_at: str
    author: Author
    comment: str
    size: int
    url: str
    page: PageReference


class CategoryEntryList(TypedDict):
    """One part of the list of categories."""

    items: list[CategoryEntry]
    next: str


class CategoryEntry(TypedDict):
    """A category with live pages."""

    key: str
    name: str
    url: str
    pages: int


class CategoryList(TypedDict):
    """One part of the list of pages of a category."""

    items: list[CategoryItem]
    next: str
    category: CategoryReference


class CategoryItem(TypedDict):
    """A page in a category."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
    revision: RevisionReference
    sort_key: str


class LinkList(TypedDict):
    """One part of the list of links."""

    items: list[LinkItem]
    next: str


class LinkItem(TypedDict):
    """A page that links to the page, or to which the page links."""

    path: str
    title: str | None
    locale: str
    ns: PageNamespace
    url: str
    exists: bool
    redirect: bool


class ChangeList(TypedDict):
    """One part of the changes."""

    items: list[Change]
    next: str
    cursor: str


class Change(TypedDict):
    """The last change of a page, or of an address that has no page any more. With `gone`, `moved_to` is the page at its new path, if the wiki knows that it moved."""

    type: ChangeType
    path: str
    title: NotRequired[str]
    locale: str
    ns: PageNamespace
    url: NotRequired[str]
    revision: NotRequired[RevisionReference]
    changed_at: str
    moved_to: NotRequired[PageReference]


ChangeType: TypeAlias = "str"


class OpenapiDocument(TypedDict):
    """An OpenAPI 3.1 document."""

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]


class Operations:
    """One method for each operation of the API."""

    def _get(self, path: str, query: dict[str, Any]) -> Any:
        """The JSON of a response."""
        raise NotImplementedError

    def _get_text(self, path: str, query: dict[str, Any]) -> str:
        """The text of a response that is not JSON."""
        raise NotImplementedError

    def get_wiki(
        self,
    ) -> Wiki:
        """The wiki and this API."""
        query: dict[str, Any] = {}
        return cast("Wiki", self._get("/", query))

    def list_pages(
        self,
        *,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        locale: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> PageList:
        """Live pages by path."""
        query: dict[str, Any] = {
            "ns": ns,
            "locale": locale,
            "limit": limit,
            "after": after,
        }
        return cast("PageList", self._get("/pages", query))

    def list_page_history(
        self,
        path: str,
        *,
        locale: str | None = None,
        limit: int | None = None,
        before: str | None = None,
    ) -> HistoryList:
        """History of a page."""
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "before": before,
        }
        return cast("HistoryList", self._get(_path("/pages/", path, "/history"), query))

    def get_page(
        self,
        path: str,
        *,
        locale: str | None = None,
        format: Literal["markdown", "html", "both"] | None = None,
    ) -> Page:
        """One page."""
        query: dict[str, Any] = {
            "locale": locale,
            "format": format,
        }
        return cast("Page", self._get(_path("/pages/", path), query))

    def get_revision(
        self,
        id: str,
        *,
        format: Literal["markdown", "html", "both"] | None = None,
    ) -> Revision:
        """One revision."""
        query: dict[str, Any] = {
            "format": format,
        }
        return cast("Revision", self._get(_path("/revisions/", id), query))

    def search_pages(
        self,
        *,
        q: str | None = None,
        locale: str | None = None,
        all: bool | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> SearchList:
        """Search pages."""
        query: dict[str, Any] = {
            "q": q,
            "locale": locale,
            "all": all,
            "limit": limit,
            "offset": offset,
        }
        return cast("SearchList", self._get("/search", query))

    def list_recent_edits(
        self,
        *,
        locale: str | None = None,
        limit: int | None = None,
        before: str | None = None,
    ) -> RecentList:
        """Recent edits."""
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "before": before,
        }
        return cast("RecentList", self._get("/recent", query))

    def list_categories(
        self,
        *,
        locale: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> CategoryEntryList:
        """Categories."""
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "after": after,
        }
        return cast("CategoryEntryList", self._get("/categories", query))

    def list_category_pages(
        self,
        key: str,
        *,
        locale: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> CategoryList:
        """Pages of a category."""
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "after": after,
        }
        return cast("CategoryList", self._get(_path("/categories/", key), query))

    def list_links(
        self,
        *,
        to: str | None = None,
        from_: str | None = None,
        locale: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> LinkList:
        """Links to or from a page."""
        query: dict[str, Any] = {
            "to": to,
            "from": from_,
            "locale": locale,
            "ns": ns,
            "limit": limit,
            "after": after,
        }
        return cast("LinkList", self._get("/links", query))

    def list_changes(
        self,
        *,
        after: str | None = None,
        locale: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
        limit: int | None = None,
    ) -> ChangeList:
        """Changes, for a copy of the wiki."""
        query: dict[str, Any] = {
            "after": after,
            "locale": locale,
            "ns": ns,
            "limit": limit,
        }
        return cast("ChangeList", self._get("/changes", query))

    def get_openapi(
        self,
    ) -> OpenapiDocument:
        """This document."""
        query: dict[str, Any] = {}
        return cast("OpenapiDocument", self._get("/openapi.json", query))
