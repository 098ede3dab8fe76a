"""Types and operations of the API. `npm run generate` writes this file from schema/openapi.json."""

from __future__ import annotations

import urllib.parse
from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, cast, final, overload


def _with_commas(values: Sequence[str] | None) -> str | None:
    return values if values is None or isinstance(values, str) else ",".join(values)


def _path(start: str, *rest: str) -> str:
    """A path whose parts at odd places are values."""
    return start + "".join(urllib.parse.quote(part, safe="") if i % 2 == 0 else part for i, part in enumerate(rest))


ListPagesInclude: TypeAlias = Literal["markdown", "html", "text", "summary", "sections", "properties", "categories", "translations", "links", "contributors", "files"]

ListPageHistoryInclude: TypeAlias = Literal["markdown", "html", "text", "summary", "sections", "properties", "parent"]

GetPageInclude: TypeAlias = Literal["markdown", "html", "text", "summary", "sections", "properties", "categories", "translations", "links", "contributors", "files"]

SearchPagesInclude: TypeAlias = Literal["markdown", "html", "text", "summary", "sections", "properties", "categories", "translations", "links", "contributors", "files"]

ListRecentEditsInclude: TypeAlias = Literal["markdown", "html", "text", "summary", "sections", "properties", "parent"]

ListCategoryPagesInclude: TypeAlias = Literal["markdown", "html", "text", "summary", "sections", "properties", "categories", "translations", "links", "contributors", "files", "total"]

ListChangesInclude: TypeAlias = Literal["markdown", "html", "text", "summary", "sections", "properties", "categories", "translations", "links", "contributors", "files"]


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
    software: Software
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


class Software(TypedDict):
    """What serves this API."""

    name: str
    version: str


class Limits(TypedDict):
    """Limits of this instance."""

    requests_per_minute: int
    list_limit_max: int
    search_limit_max: int
    cache_seconds: int
    list_bytes_max: int
    streams_max: int


class PageList(TypedDict):
    """One part of the list of pages."""

    items: list[PageItem | MissingPage]
    next: str


@final
class PageItem(TypedDict):
    """A page in a list."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
    revision: RevisionReference
    markdown: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    summary: NotRequired[str]
    sections: NotRequired[list[Section]]
    properties: NotRequired[list[Property]]
    categories: NotRequired[list[CategoryReference]]
    translations: NotRequired[list[Translation]]
    links: NotRequired[LinkList]
    contributors: NotRequired[Contributors]
    files: NotRequired[list[PageFile]]
    position: NotRequired[int | None]
    group_title: NotRequired[str | None]
    group_titles: NotRequired[list[str]]
    nav_title: NotRequired[str | None]


PageNamespace: TypeAlias = "str"


class RevisionReference(TypedDict):
    """The last accepted edit of a page."""

    id: str
    created_at: str
    author: Author


class Author(TypedDict):
    """The author of an edit."""

    name: str


class Section(TypedDict):
    """A heading of a page, and what belongs to it."""

    id: str
    level: int
    title: str
    start: int
    end: int


class Property(TypedDict):
    """A property of a note."""

    name: str
    value: str | float | bool | list[str | float | bool]


class CategoryReference(TypedDict):
    """A category of the wiki."""

    key: str
    name: str
    url: str


class Translation(TypedDict):
    """The page in another language."""

    locale: str
    path: str
    title: str
    url: str


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


class Contributors(TypedDict):
    """The authors of a page: those with the most accepted edits first, at most 100."""

    total: int
    items: list[Contributor]


class Contributor(TypedDict):
    """An author of a page."""

    name: str
    edits: int
    last_at: str


class PageFile(TypedDict):
    """A file that a page shows or links."""

    path: str
    url: str
    media_type: str
    bytes: int
    sha256: str


@final
class MissingPage(TypedDict):
    """A path of the request that has no live page."""

    path: str
    missing: Literal[True]
    moved_to: NotRequired[PageReference]


class PageReference(TypedDict):
    """A page, without its text."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str


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
    parent: NotRequired[str | None]
    parent_size: NotRequired[int | None]
    markdown: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    summary: NotRequired[str]
    sections: NotRequired[list[Section]]
    properties: NotRequired[list[Property]]


class Page(TypedDict):
    """A live page at its last accepted edit."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
    revision: RevisionReference
    categories: list[CategoryReference]
    translations: list[Translation]
    markdown: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    summary: NotRequired[str]
    sections: NotRequired[list[Section]]
    properties: NotRequired[list[Property]]
    links: NotRequired[LinkList]
    contributors: NotRequired[Contributors]
    files: NotRequired[list[PageFile]]
    license: str


RevisionDiff = TypedDict(
    "RevisionDiff",
    {
        "page": "PageReference",
        "from": "str | None",
        "to": "str",
        "added": "int",
        "removed": "int",
        "truncated": "bool",
        "hunks": "list[Hunk]",
        "license": "str",
    },
)


Hunk = TypedDict(
    "Hunk",
    {
        "from": "LineRange",
        "to": "LineRange",
        "lines": "list[HunkLine]",
    },
)


class LineRange(TypedDict):
    """Part of a text."""

    line: int
    lines: int


class HunkLine(TypedDict):
    """A line of a hunk."""

    kind: HunkLineKind
    text: str
    highlights: list[list[int]]
    newline: NotRequired[Literal[False]]


HunkLineKind: TypeAlias = "str"


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
    text: NotRequired[str]
    license: str


class SearchList(TypedDict):
    """One part of the search results, best match first."""

    items: list[SearchHit]
    next: str
    did_you_mean: NotRequired[str]


class SearchHit(TypedDict):
    """A page that matches the query, with excerpts."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
    passages: list[Passage]
    score: float
    markdown: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    summary: NotRequired[str]
    sections: NotRequired[list[Section]]
    properties: NotRequired[list[Property]]
    categories: NotRequired[list[CategoryReference]]
    translations: NotRequired[list[Translation]]
    links: NotRequired[LinkList]
    contributors: NotRequired[Contributors]
    files: NotRequired[list[PageFile]]


class Passage(TypedDict):
    """An excerpt of the page around matches."""

    heading: str
    text: str
    highlights: list[list[int]]


class SuggestionList(TypedDict):
    """Pages for what was typed, best first. The list has no further parts, so `next` is empty."""

    items: list[Suggestion]
    next: str


class Suggestion(TypedDict):
    """A page whose title begins with what was typed."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
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
    parent: NotRequired[str | None]
    parent_size: NotRequired[int | None]
    markdown: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    summary: NotRequired[str]
    sections: NotRequired[list[Section]]
    properties: NotRequired[list[Property]]
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
    total: NotRequired[int]


class CategoryItem(TypedDict):
    """A page in a category."""

    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
    revision: RevisionReference
    markdown: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    summary: NotRequired[str]
    sections: NotRequired[list[Section]]
    properties: NotRequired[list[Property]]
    categories: NotRequired[list[CategoryReference]]
    translations: NotRequired[list[Translation]]
    links: NotRequired[LinkList]
    contributors: NotRequired[Contributors]
    files: NotRequired[list[PageFile]]
    sort_key: str


class FileList(TypedDict):
    """One part of the list of files."""

    items: list[FileItem]
    next: str


class FileItem(TypedDict):
    """A file in a list."""

    path: str
    locale: str | None
    url: str
    media_type: str
    bytes: int
    sha256: str
    width: int | None
    height: int | None
    modified_at: str | None


class WikiFile(TypedDict):
    """A picture or a document that live pages show or link."""

    path: str
    locale: str | None
    url: str
    media_type: str
    bytes: int
    sha256: str
    width: int | None
    height: int | None
    modified_at: str | None
    author: dict[str, Any] | None
    used_by: FileUseList


class FileUseList(TypedDict):
    """Pages that show or link the file, at most 50."""

    items: list[PageReference]
    next: str


class ChangeList(TypedDict):
    """One part of the changes."""

    items: list[Change]
    next: str
    cursor: str


Change: TypeAlias = "ChangedPage | GonePage"


class ChangedPage(TypedDict):
    """A page that is new or has changed."""

    type: Literal["upsert"]
    path: str
    title: str
    locale: str
    ns: PageNamespace
    url: str
    revision: RevisionReference
    changed_at: str
    markdown: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    summary: NotRequired[str]
    sections: NotRequired[list[Section]]
    properties: NotRequired[list[Property]]
    categories: NotRequired[list[CategoryReference]]
    translations: NotRequired[list[Translation]]
    links: NotRequired[LinkList]
    contributors: NotRequired[Contributors]
    files: NotRequired[list[PageFile]]


class GonePage(TypedDict):
    """An address that has no page any more."""

    type: Literal["gone"]
    path: str
    locale: str
    ns: PageNamespace
    changed_at: str
    moved_to: NotRequired[PageReference]


class OpenapiDocument(TypedDict):
    """An OpenAPI 3.1 document."""

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]


class LivePageList(TypedDict):
    """A PageList without MissingPage: the request has no `path`."""

    items: list[PageItem]
    next: str


#: For each list, the parameter to which ``next`` of a part is sent.
NEXT_PARAMETERS = {
    "list_pages": "after",
    "list_page_history": "before",
    "search_pages": "offset",
    "list_recent_edits": "before",
    "list_categories": "after",
    "list_category_pages": "after",
    "list_links": "after",
    "list_files": "after",
    "list_changes": "after",
}


class Operations:
    """One method for each operation of the API."""

    def _get(self, path: str, query: dict[str, Any]) -> Any:
        """The JSON of a response."""
        raise NotImplementedError

    def _get_text(self, path: str, query: dict[str, Any], media_type: str) -> str:
        """The text of a response that is not JSON."""
        raise NotImplementedError

    def get_wiki(
        self,
    ) -> Wiki:
        """The wiki and this API.

        Returns the name, languages and license of the wiki, and the endpoints and limits of this API.

        """
        query: dict[str, Any] = {}
        return cast("Wiki", self._get("/", query))

    @overload
    def list_pages(
        self,
        *,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        locale: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        include: Sequence[ListPagesInclude] | None = None,
        path: None = None,
        position: bool | None = None,
    ) -> LivePageList: ...

    @overload
    def list_pages(
        self,
        *,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        locale: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        include: Sequence[ListPagesInclude] | None = None,
        path: Sequence[str],
        position: bool | None = None,
    ) -> PageList: ...

    def list_pages(
        self,
        *,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        locale: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        include: Sequence[ListPagesInclude] | None = None,
        path: Sequence[str] | None = None,
        position: bool | None = None,
    ) -> LivePageList | PageList:
        """Live pages by path.

        Lists the live pages of one language and one namespace, sorted by the bytes of their paths; or, with
        `path`, the pages that you name.

        :param ns: Namespace of the pages.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param prefix: Return only pages whose path begins with this text, such as `guides/`.
        :param limit: Maximum number of items to return.
        :param after: Return only pages whose path is after this one. Use `next` of the previous response.
        :param include: Further fields to return: their names in one text, with commas between them.
        :param path: Return the page with this path, with its namespace prefix if it has one. Repeat the
            parameter for up to 50 pages, while URL and headers have at most 16 KB: they come in the order
            of the request, each once, whatever their namespaces are. For a page that does not exist, the
            item has the path, `missing` and, if the page moved, `moved_to`.
        :param position: Return also the place of each page in the order of its site, and the title of its
            group there.
        """
        query: dict[str, Any] = {
            "ns": ns,
            "locale": locale,
            "prefix": prefix,
            "limit": limit,
            "after": after,
            "include": _with_commas(include),
            "path": path,
            "position": position,
        }
        return cast("PageList", self._get("/pages", query))

    def list_page_history(
        self,
        path: str,
        *,
        locale: str | None = None,
        limit: int | None = None,
        before: str | date | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        order: Literal["desc", "asc"] | None = None,
        after: str | None = None,
        include: Sequence[ListPageHistoryInclude] | None = None,
    ) -> HistoryList:
        """History of a page.

        Lists the accepted edits of a page, newest first, or oldest first.

        :param path: Path of the page, with its namespace prefix if it has one. You can send a slash as it
            is or as `%2F`, but the slash of a path that ends in `/history` must be `%2F`.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        :param before: Return only edits before this time, an RFC 3339 date-time or date (UTC). Use `next`
            of the previous response: it also works between edits that have the same time, where it is a
            millisecond soon after that time. You can store it in a date type that has microseconds.
        :param since: Return only edits from this RFC 3339 date-time or date (UTC) on.
        :param until: Return only edits before this RFC 3339 date-time or date, in all parts.
        :param order: Newest or, with `asc`, oldest edit first.
        :param after: With `order=asc`, return only later edits: `next` of the previous response.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "before": before,
            "since": since,
            "until": until,
            "order": order,
            "after": after,
            "include": _with_commas(include),
        }
        return cast("HistoryList", self._get(_path("/pages/", path, "/history"), query))

    def get_page(
        self,
        path: str,
        *,
        locale: str | None = None,
        format: Literal["markdown", "html", "both", "text"] | None = None,
        section: str | None = None,
        include: Sequence[GetPageInclude] | None = None,
    ) -> Page:
        """One page.

        Returns a live page: its text, last accepted edit, categories and translations. With
        `include=sections`, it returns the outline of the page, and with `section` one section of it. Send
        `Accept: text/markdown` to get the Markdown itself instead of JSON.

        :param path: Path of the page, with its namespace prefix if it has one. You can send a slash as it
            is or as `%2F`, but the slash of a path that ends in `/history` must be `%2F`.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param format: Format of the text: Markdown, HTML, both, or plain text without markup.
        :param section: Return only this section of the text, with its subsections. The value is an `id` of
            `sections`: the id of the heading in the HTML, or an empty text for what stands before the first
            heading.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "format": format,
            "section": section,
            "include": _with_commas(include),
        }
        return cast("Page", self._get(_path("/pages/", path), query))

    @overload
    def get_revision_diff(
        self,
        id: str,
        *,
        from_: str | None = None,
        format: Literal["json"] | None = None,
    ) -> RevisionDiff: ...

    @overload
    def get_revision_diff(
        self,
        id: str,
        *,
        from_: str | None = None,
        format: Literal["unified"],
    ) -> str: ...

    def get_revision_diff(
        self,
        id: str,
        *,
        from_: str | None = None,
        format: Literal["json", "unified"] | None = None,
    ) -> RevisionDiff | str:
        """What an edit changed.

        Compares the text of a revision with that of the revision before it, or with any other revision,
        line by line. If the texts differ too much to compare all lines, the only hunk lists the old lines
        from the first change to the last as removed, and the new ones as added. If there is too much to
        list, the only hunk has no lines (`truncated`). With `from`, the differences never change, so caches
        keep the response for a day, with `page` as it was.

        :param id: Id of the revision.
        :param from_: Id of the revision to compare with. It can be of another page. Default: the accepted
            edit before this one; for the first edit of a page, an empty text.
        :param format: Format of the response: JSON, or the text of a patch in the unified format, which
            `git apply` and `patch` read.
        """
        query: dict[str, Any] = {
            "from": from_,
            "format": format,
        }
        if format == "unified":
            return self._get_text(_path("/revisions/", id, "/diff"), query, "text/plain")
        return cast("RevisionDiff", self._get(_path("/revisions/", id, "/diff"), query))

    def get_revision(
        self,
        id: str,
        *,
        format: Literal["markdown", "html", "both", "text"] | None = None,
    ) -> Revision:
        """One revision.

        Returns an accepted edit of a live page, with the text of the page after that edit. Send `Accept:
        text/markdown` to get the Markdown itself instead of JSON.

        :param id: Id of the revision.
        :param format: Format of the text: Markdown, HTML, both, or plain text without markup.
        """
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
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        category: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: Sequence[SearchPagesInclude] | None = None,
    ) -> SearchList:
        """Search pages.

        Searches titles and texts, and returns the matching pages with excerpts, best match first. Pages
        whose title matches come first, then pages that match all words or the words that say most. You can
        use `"a phrase"`, `or` and `-without`. The search also finds titles by their beginning, and titles
        with one typo. Case and accents do not matter. A query without words returns no results.

        :param q: The words to search for.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param all: Search all languages, and ignore `locale`.
        :param ns: Return only pages of this namespace. Default: all but categories.
        :param category: Return only pages of the category with this key. Empty: all.
        :param prefix: Return only pages whose path begins with this text, such as `guides/`.
        :param limit: Maximum number of items to return.
        :param offset: How many results to skip, at most 1000. Send `next` of the previous response, as a
            number. `next` is empty if the next offset would be larger.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "q": q,
            "locale": locale,
            "all": all,
            "ns": ns,
            "category": category,
            "prefix": prefix,
            "limit": limit,
            "offset": offset,
            "include": _with_commas(include),
        }
        return cast("SearchList", self._get("/search", query))

    def list_suggestions(
        self,
        *,
        q: str | None = None,
        locale: str | None = None,
        limit: int | None = None,
    ) -> SuggestionList:
        """Suggest pages while somebody types.

        Returns pages whose title begins with a text, for a search field: first the page with this title,
        then pages with many edits. Pages follow whose title has the text at the beginning of a later word,
        then pages of whose title words begin with its words, in any order. A redirect, or another name of a
        page that begins so, stands for the page. If there are too few such pages, pages follow whose title
        begins with the text, or has it as a whole later word, but for one typo: a wrong letter, a missing
        or additional one, or two swapped letters. Pages that describe categories are not returned. Case and
        accents do not matter. A text without letters and digits returns nothing.

        :param q: What was typed.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        """
        query: dict[str, Any] = {
            "q": q,
            "locale": locale,
            "limit": limit,
        }
        return cast("SuggestionList", self._get("/suggest", query))

    def list_recent_edits(
        self,
        *,
        locale: str | None = None,
        author: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
        limit: int | None = None,
        before: str | date | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        include: Sequence[ListRecentEditsInclude] | None = None,
    ) -> RecentList:
        """Recent edits.

        Lists the accepted edits of the whole wiki, newest first.

        :param locale: Return only this language. Default: all languages.
        :param author: Return only edits by the author with this name. Empty: all.
        :param ns: Return only pages of this namespace. Default: all.
        :param limit: Maximum number of items to return.
        :param before: Return only edits before this time, an RFC 3339 date-time or date (UTC). Use `next`
            of the previous response: it also works between edits that have the same time, where it is a
            millisecond soon after that time. You can store it in a date type that has microseconds.
        :param since: Return only edits from this RFC 3339 date-time or date (UTC) on.
        :param until: Return only edits before this RFC 3339 date-time or date, in all parts.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "author": author,
            "ns": ns,
            "limit": limit,
            "before": before,
            "since": since,
            "until": until,
            "include": _with_commas(include),
        }
        return cast("RecentList", self._get("/recent", query))

    def get_recent_feed(
        self,
        *,
        locale: str | None = None,
        author: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
    ) -> str:
        """Recent edits as a feed.

        Returns the 50 newest accepted edits as an Atom feed (RFC 4287), for feed readers. Errors are JSON.

        :param locale: Return only this language. Default: all languages.
        :param author: Return only edits by the author with this name. Empty: all.
        :param ns: Return only pages of this namespace. Default: all.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "author": author,
            "ns": ns,
        }
        return self._get_text("/recent.atom", query, "application/atom+xml")

    def list_categories(
        self,
        *,
        locale: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> CategoryEntryList:
        """Categories.

        Lists the categories of one language that have live pages, with how many, sorted by the bytes of
        their keys.

        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        :param after: Return only categories whose key is after this one. Use `next` of the previous
            response.
        """
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
        include: Sequence[ListCategoryPagesInclude] | None = None,
    ) -> CategoryList:
        """Pages of a category.

        Lists the live pages of a category, sorted by the bytes of their sort keys.

        :param key: Key of the category: the part of its path after `category:`.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        :param after: Return only pages whose sort key is after this one. Use `next` of the previous
            response.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "after": after,
            "include": _with_commas(include),
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
        """Links to or from a page.

        Lists the pages that link to a page (`to`), or the pages to which a page links (`from`), sorted by
        the bytes of their languages and paths. Send one of these two parameters. A page that links to
        another one several times is listed once. A page that does not exist can have links to it.

        :param to: List the pages that link to the page with this path.
        :param from_: List the pages to which the page with this path links.
        :param locale: Language of the page in `to` or `from`. Listed pages can have other languages.
            Default: the language of the host that you call.
        :param ns: Return only pages of this namespace. Default: all.
        :param limit: Maximum number of items to return.
        :param after: Return only pages after this one. Use `next` of the previous response.
        """
        query: dict[str, Any] = {
            "to": to,
            "from": from_,
            "locale": locale,
            "ns": ns,
            "limit": limit,
            "after": after,
        }
        return cast("LinkList", self._get("/links", query))

    def list_files(
        self,
        *,
        prefix: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> FileList:
        """Files by path.

        Lists the pictures and documents that live pages show or link, sorted by the bytes of their paths.
        The `url` of a file leads to its bytes. A file that no live page uses is not public, and does not
        appear.

        :param prefix: Return only files whose path begins with this text, such as `images/`.
        :param type: Return only files of this media type, such as `image/png`, or of all that begin alike:
            `image`.
        :param limit: Maximum number of items to return.
        :param after: Return only files whose path is after this one. Use `next` of the previous response.
        """
        query: dict[str, Any] = {
            "prefix": prefix,
            "type": type,
            "limit": limit,
            "after": after,
        }
        return cast("FileList", self._get("/files", query))

    def get_file(
        self,
        path: str,
        *,
        locale: str | None = None,
        after: str | None = None,
    ) -> WikiFile:
        """One file.

        Returns a picture or a document that live pages show or link: where its bytes are, and which pages
        use it. A file that no live page uses is not public, and answers 404.

        :param path: Path of the file. You can send a slash as it is or as `%2F`.
        :param locale: Language of the file, if the wiki has files by language. Default: the language of the
            host that you call.
        :param after: Return only pages after this one in `used_by`: a language, a slash and a path. Use
            `used_by.next` of the previous response.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "after": after,
        }
        return cast("WikiFile", self._get(_path("/files/", path), query))

    def list_changes(
        self,
        *,
        after: str | None = None,
        locale: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
        limit: int | None = None,
        include: Sequence[ListChangesInclude] | None = None,
    ) -> ChangeList:
        """Changes, for a copy of the wiki.

        Lists each page at its last change, and each address that has no page any more, oldest change first.
        Read from the beginning to the end, and you have a copy of the wiki. Then ask with the stored
        `cursor` from time to time: you get everything that appeared, changed, moved or vanished since. A
        page appears once, as it is now. An address at which guests never saw a page does not appear. Send
        `Accept: text/event-stream` to get the changes as server-sent events, as they happen, without an
        end: `event` is `upsert` or `gone`, `id` a cursor, and `data` an item of the list as JSON. The
        stream starts after the cursor in the header `Last-Event-ID`, or else after `after`.

        :param after: Return only later changes. Use `cursor` of an earlier response (if that had `locale`
            or `ns`, send the same), or `now` for what happens from now on. A cursor does not expire.
        :param locale: Return only this language, also if it no longer has pages. Default: all languages.
        :param ns: Return only pages of this namespace. Default: all.
        :param limit: Maximum number of items to return.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "after": after,
            "locale": locale,
            "ns": ns,
            "limit": limit,
            "include": _with_commas(include),
        }
        return cast("ChangeList", self._get("/changes", query))

    def get_openapi(
        self,
    ) -> OpenapiDocument:
        """This document.

        The OpenAPI description of this API, for client generators and other programs.

        """
        query: dict[str, Any] = {}
        return cast("OpenapiDocument", self._get("/openapi.json", query))


class AsyncOperations:
    """One method for each operation of the API."""

    async def _get(self, path: str, query: dict[str, Any]) -> Any:
        """The JSON of a response."""
        raise NotImplementedError

    async def _get_text(self, path: str, query: dict[str, Any], media_type: str) -> str:
        """The text of a response that is not JSON."""
        raise NotImplementedError

    async def get_wiki(
        self,
    ) -> Wiki:
        """The wiki and this API.

        Returns the name, languages and license of the wiki, and the endpoints and limits of this API.

        """
        query: dict[str, Any] = {}
        return cast("Wiki", await self._get("/", query))

    @overload
    async def list_pages(
        self,
        *,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        locale: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        include: Sequence[ListPagesInclude] | None = None,
        path: None = None,
        position: bool | None = None,
    ) -> LivePageList: ...

    @overload
    async def list_pages(
        self,
        *,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        locale: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        include: Sequence[ListPagesInclude] | None = None,
        path: Sequence[str],
        position: bool | None = None,
    ) -> PageList: ...

    async def list_pages(
        self,
        *,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        locale: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        include: Sequence[ListPagesInclude] | None = None,
        path: Sequence[str] | None = None,
        position: bool | None = None,
    ) -> LivePageList | PageList:
        """Live pages by path.

        Lists the live pages of one language and one namespace, sorted by the bytes of their paths; or, with
        `path`, the pages that you name.

        :param ns: Namespace of the pages.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param prefix: Return only pages whose path begins with this text, such as `guides/`.
        :param limit: Maximum number of items to return.
        :param after: Return only pages whose path is after this one. Use `next` of the previous response.
        :param include: Further fields to return: their names in one text, with commas between them.
        :param path: Return the page with this path, with its namespace prefix if it has one. Repeat the
            parameter for up to 50 pages, while URL and headers have at most 16 KB: they come in the order
            of the request, each once, whatever their namespaces are. For a page that does not exist, the
            item has the path, `missing` and, if the page moved, `moved_to`.
        :param position: Return also the place of each page in the order of its site, and the title of its
            group there.
        """
        query: dict[str, Any] = {
            "ns": ns,
            "locale": locale,
            "prefix": prefix,
            "limit": limit,
            "after": after,
            "include": _with_commas(include),
            "path": path,
            "position": position,
        }
        return cast("PageList", await self._get("/pages", query))

    async def list_page_history(
        self,
        path: str,
        *,
        locale: str | None = None,
        limit: int | None = None,
        before: str | date | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        order: Literal["desc", "asc"] | None = None,
        after: str | None = None,
        include: Sequence[ListPageHistoryInclude] | None = None,
    ) -> HistoryList:
        """History of a page.

        Lists the accepted edits of a page, newest first, or oldest first.

        :param path: Path of the page, with its namespace prefix if it has one. You can send a slash as it
            is or as `%2F`, but the slash of a path that ends in `/history` must be `%2F`.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        :param before: Return only edits before this time, an RFC 3339 date-time or date (UTC). Use `next`
            of the previous response: it also works between edits that have the same time, where it is a
            millisecond soon after that time. You can store it in a date type that has microseconds.
        :param since: Return only edits from this RFC 3339 date-time or date (UTC) on.
        :param until: Return only edits before this RFC 3339 date-time or date, in all parts.
        :param order: Newest or, with `asc`, oldest edit first.
        :param after: With `order=asc`, return only later edits: `next` of the previous response.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "before": before,
            "since": since,
            "until": until,
            "order": order,
            "after": after,
            "include": _with_commas(include),
        }
        return cast("HistoryList", await self._get(_path("/pages/", path, "/history"), query))

    async def get_page(
        self,
        path: str,
        *,
        locale: str | None = None,
        format: Literal["markdown", "html", "both", "text"] | None = None,
        section: str | None = None,
        include: Sequence[GetPageInclude] | None = None,
    ) -> Page:
        """One page.

        Returns a live page: its text, last accepted edit, categories and translations. With
        `include=sections`, it returns the outline of the page, and with `section` one section of it. Send
        `Accept: text/markdown` to get the Markdown itself instead of JSON.

        :param path: Path of the page, with its namespace prefix if it has one. You can send a slash as it
            is or as `%2F`, but the slash of a path that ends in `/history` must be `%2F`.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param format: Format of the text: Markdown, HTML, both, or plain text without markup.
        :param section: Return only this section of the text, with its subsections. The value is an `id` of
            `sections`: the id of the heading in the HTML, or an empty text for what stands before the first
            heading.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "format": format,
            "section": section,
            "include": _with_commas(include),
        }
        return cast("Page", await self._get(_path("/pages/", path), query))

    @overload
    async def get_revision_diff(
        self,
        id: str,
        *,
        from_: str | None = None,
        format: Literal["json"] | None = None,
    ) -> RevisionDiff: ...

    @overload
    async def get_revision_diff(
        self,
        id: str,
        *,
        from_: str | None = None,
        format: Literal["unified"],
    ) -> str: ...

    async def get_revision_diff(
        self,
        id: str,
        *,
        from_: str | None = None,
        format: Literal["json", "unified"] | None = None,
    ) -> RevisionDiff | str:
        """What an edit changed.

        Compares the text of a revision with that of the revision before it, or with any other revision,
        line by line. If the texts differ too much to compare all lines, the only hunk lists the old lines
        from the first change to the last as removed, and the new ones as added. If there is too much to
        list, the only hunk has no lines (`truncated`). With `from`, the differences never change, so caches
        keep the response for a day, with `page` as it was.

        :param id: Id of the revision.
        :param from_: Id of the revision to compare with. It can be of another page. Default: the accepted
            edit before this one; for the first edit of a page, an empty text.
        :param format: Format of the response: JSON, or the text of a patch in the unified format, which
            `git apply` and `patch` read.
        """
        query: dict[str, Any] = {
            "from": from_,
            "format": format,
        }
        if format == "unified":
            return await self._get_text(_path("/revisions/", id, "/diff"), query, "text/plain")
        return cast("RevisionDiff", await self._get(_path("/revisions/", id, "/diff"), query))

    async def get_revision(
        self,
        id: str,
        *,
        format: Literal["markdown", "html", "both", "text"] | None = None,
    ) -> Revision:
        """One revision.

        Returns an accepted edit of a live page, with the text of the page after that edit. Send `Accept:
        text/markdown` to get the Markdown itself instead of JSON.

        :param id: Id of the revision.
        :param format: Format of the text: Markdown, HTML, both, or plain text without markup.
        """
        query: dict[str, Any] = {
            "format": format,
        }
        return cast("Revision", await self._get(_path("/revisions/", id), query))

    async def search_pages(
        self,
        *,
        q: str | None = None,
        locale: str | None = None,
        all: bool | None = None,
        ns: Literal["main", "template", "page_template", "module"] | None = None,
        category: str | None = None,
        prefix: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        include: Sequence[SearchPagesInclude] | None = None,
    ) -> SearchList:
        """Search pages.

        Searches titles and texts, and returns the matching pages with excerpts, best match first. Pages
        whose title matches come first, then pages that match all words or the words that say most. You can
        use `"a phrase"`, `or` and `-without`. The search also finds titles by their beginning, and titles
        with one typo. Case and accents do not matter. A query without words returns no results.

        :param q: The words to search for.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param all: Search all languages, and ignore `locale`.
        :param ns: Return only pages of this namespace. Default: all but categories.
        :param category: Return only pages of the category with this key. Empty: all.
        :param prefix: Return only pages whose path begins with this text, such as `guides/`.
        :param limit: Maximum number of items to return.
        :param offset: How many results to skip, at most 1000. Send `next` of the previous response, as a
            number. `next` is empty if the next offset would be larger.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "q": q,
            "locale": locale,
            "all": all,
            "ns": ns,
            "category": category,
            "prefix": prefix,
            "limit": limit,
            "offset": offset,
            "include": _with_commas(include),
        }
        return cast("SearchList", await self._get("/search", query))

    async def list_suggestions(
        self,
        *,
        q: str | None = None,
        locale: str | None = None,
        limit: int | None = None,
    ) -> SuggestionList:
        """Suggest pages while somebody types.

        Returns pages whose title begins with a text, for a search field: first the page with this title,
        then pages with many edits. Pages follow whose title has the text at the beginning of a later word,
        then pages of whose title words begin with its words, in any order. A redirect, or another name of a
        page that begins so, stands for the page. If there are too few such pages, pages follow whose title
        begins with the text, or has it as a whole later word, but for one typo: a wrong letter, a missing
        or additional one, or two swapped letters. Pages that describe categories are not returned. Case and
        accents do not matter. A text without letters and digits returns nothing.

        :param q: What was typed.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        """
        query: dict[str, Any] = {
            "q": q,
            "locale": locale,
            "limit": limit,
        }
        return cast("SuggestionList", await self._get("/suggest", query))

    async def list_recent_edits(
        self,
        *,
        locale: str | None = None,
        author: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
        limit: int | None = None,
        before: str | date | None = None,
        since: str | date | None = None,
        until: str | date | None = None,
        include: Sequence[ListRecentEditsInclude] | None = None,
    ) -> RecentList:
        """Recent edits.

        Lists the accepted edits of the whole wiki, newest first.

        :param locale: Return only this language. Default: all languages.
        :param author: Return only edits by the author with this name. Empty: all.
        :param ns: Return only pages of this namespace. Default: all.
        :param limit: Maximum number of items to return.
        :param before: Return only edits before this time, an RFC 3339 date-time or date (UTC). Use `next`
            of the previous response: it also works between edits that have the same time, where it is a
            millisecond soon after that time. You can store it in a date type that has microseconds.
        :param since: Return only edits from this RFC 3339 date-time or date (UTC) on.
        :param until: Return only edits before this RFC 3339 date-time or date, in all parts.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "author": author,
            "ns": ns,
            "limit": limit,
            "before": before,
            "since": since,
            "until": until,
            "include": _with_commas(include),
        }
        return cast("RecentList", await self._get("/recent", query))

    async def get_recent_feed(
        self,
        *,
        locale: str | None = None,
        author: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
    ) -> str:
        """Recent edits as a feed.

        Returns the 50 newest accepted edits as an Atom feed (RFC 4287), for feed readers. Errors are JSON.

        :param locale: Return only this language. Default: all languages.
        :param author: Return only edits by the author with this name. Empty: all.
        :param ns: Return only pages of this namespace. Default: all.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "author": author,
            "ns": ns,
        }
        return await self._get_text("/recent.atom", query, "application/atom+xml")

    async def list_categories(
        self,
        *,
        locale: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> CategoryEntryList:
        """Categories.

        Lists the categories of one language that have live pages, with how many, sorted by the bytes of
        their keys.

        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        :param after: Return only categories whose key is after this one. Use `next` of the previous
            response.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "after": after,
        }
        return cast("CategoryEntryList", await self._get("/categories", query))

    async def list_category_pages(
        self,
        key: str,
        *,
        locale: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        include: Sequence[ListCategoryPagesInclude] | None = None,
    ) -> CategoryList:
        """Pages of a category.

        Lists the live pages of a category, sorted by the bytes of their sort keys.

        :param key: Key of the category: the part of its path after `category:`.
        :param locale: Language of the content. Default: the language of the host that you call.
        :param limit: Maximum number of items to return.
        :param after: Return only pages whose sort key is after this one. Use `next` of the previous
            response.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "limit": limit,
            "after": after,
            "include": _with_commas(include),
        }
        return cast("CategoryList", await self._get(_path("/categories/", key), query))

    async def list_links(
        self,
        *,
        to: str | None = None,
        from_: str | None = None,
        locale: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> LinkList:
        """Links to or from a page.

        Lists the pages that link to a page (`to`), or the pages to which a page links (`from`), sorted by
        the bytes of their languages and paths. Send one of these two parameters. A page that links to
        another one several times is listed once. A page that does not exist can have links to it.

        :param to: List the pages that link to the page with this path.
        :param from_: List the pages to which the page with this path links.
        :param locale: Language of the page in `to` or `from`. Listed pages can have other languages.
            Default: the language of the host that you call.
        :param ns: Return only pages of this namespace. Default: all.
        :param limit: Maximum number of items to return.
        :param after: Return only pages after this one. Use `next` of the previous response.
        """
        query: dict[str, Any] = {
            "to": to,
            "from": from_,
            "locale": locale,
            "ns": ns,
            "limit": limit,
            "after": after,
        }
        return cast("LinkList", await self._get("/links", query))

    async def list_files(
        self,
        *,
        prefix: str | None = None,
        type: str | None = None,
        limit: int | None = None,
        after: str | None = None,
    ) -> FileList:
        """Files by path.

        Lists the pictures and documents that live pages show or link, sorted by the bytes of their paths.
        The `url` of a file leads to its bytes. A file that no live page uses is not public, and does not
        appear.

        :param prefix: Return only files whose path begins with this text, such as `images/`.
        :param type: Return only files of this media type, such as `image/png`, or of all that begin alike:
            `image`.
        :param limit: Maximum number of items to return.
        :param after: Return only files whose path is after this one. Use `next` of the previous response.
        """
        query: dict[str, Any] = {
            "prefix": prefix,
            "type": type,
            "limit": limit,
            "after": after,
        }
        return cast("FileList", await self._get("/files", query))

    async def get_file(
        self,
        path: str,
        *,
        locale: str | None = None,
        after: str | None = None,
    ) -> WikiFile:
        """One file.

        Returns a picture or a document that live pages show or link: where its bytes are, and which pages
        use it. A file that no live page uses is not public, and answers 404.

        :param path: Path of the file. You can send a slash as it is or as `%2F`.
        :param locale: Language of the file, if the wiki has files by language. Default: the language of the
            host that you call.
        :param after: Return only pages after this one in `used_by`: a language, a slash and a path. Use
            `used_by.next` of the previous response.
        """
        query: dict[str, Any] = {
            "locale": locale,
            "after": after,
        }
        return cast("WikiFile", await self._get(_path("/files/", path), query))

    async def list_changes(
        self,
        *,
        after: str | None = None,
        locale: str | None = None,
        ns: Literal["main", "template", "page_template", "module", "category"] | None = None,
        limit: int | None = None,
        include: Sequence[ListChangesInclude] | None = None,
    ) -> ChangeList:
        """Changes, for a copy of the wiki.

        Lists each page at its last change, and each address that has no page any more, oldest change first.
        Read from the beginning to the end, and you have a copy of the wiki. Then ask with the stored
        `cursor` from time to time: you get everything that appeared, changed, moved or vanished since. A
        page appears once, as it is now. An address at which guests never saw a page does not appear. Send
        `Accept: text/event-stream` to get the changes as server-sent events, as they happen, without an
        end: `event` is `upsert` or `gone`, `id` a cursor, and `data` an item of the list as JSON. The
        stream starts after the cursor in the header `Last-Event-ID`, or else after `after`.

        :param after: Return only later changes. Use `cursor` of an earlier response (if that had `locale`
            or `ns`, send the same), or `now` for what happens from now on. A cursor does not expire.
        :param locale: Return only this language, also if it no longer has pages. Default: all languages.
        :param ns: Return only pages of this namespace. Default: all.
        :param limit: Maximum number of items to return.
        :param include: Further fields to return: their names in one text, with commas between them.
        """
        query: dict[str, Any] = {
            "after": after,
            "locale": locale,
            "ns": ns,
            "limit": limit,
            "include": _with_commas(include),
        }
        return cast("ChangeList", await self._get("/changes", query))

    async def get_openapi(
        self,
    ) -> OpenapiDocument:
        """This document.

        The OpenAPI description of this API, for client generators and other programs.

        """
        query: dict[str, Any] = {}
        return cast("OpenapiDocument", await self._get("/openapi.json", query))
