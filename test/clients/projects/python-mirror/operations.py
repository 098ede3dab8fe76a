"""Prints the titles of all pages, a page, a search, an error, a patch and a feed. Usage: operations.py API REVISION"""

import inspect
import json
import sys
from datetime import datetime, timedelta, timezone
from typing import get_overloads

from lectern_client import ApiError, Headers, Wiki, apaginate, paginate, with_headers

wiki = Wiki(sys.argv[1])
titles: list[str] = [page["title"] for page in paginate(wiki.list_pages, include=["summary"], limit=10)]
assert [page["title"] for page in wiki.list_pages(limit=1)["items"]] == titles[:1]
edits: list[str] = [edit["id"] for edit in paginate(wiki.list_recent_edits, limit=10)]
assert [edit["id"] for edit in paginate(wiki.list_page_history, "is it?", limit=1)][0] in edits
oldest = [edit["id"] for edit in paginate(wiki.list_page_history, "is it?", order="asc", limit=1)]
assert oldest == [edit["id"] for edit in paginate(wiki.list_page_history, "is it?")][::-1]
now = datetime.now(timezone(timedelta(hours=5)))
assert wiki.list_recent_edits(since=now)["items"] == []
assert len(wiki.list_recent_edits(until=now, limit=5)["items"]) == 5
assert len(wiki.list_recent_edits(before=now.date(), limit=5)["items"]) == 5
try:
    wiki.list_recent_edits(since=datetime(2026, 1, 1))
    raise AssertionError
except ValueError as error:
    assert "needs a time zone" in str(error), error
found = {hit["path"] for hit in paginate(wiki.search_pages, q="Text", limit=15)}
assert found == {"tea", "is it?", *(f"page {i}" for i in range(30))}, found
assert {change["path"] for change in paginate(wiki.list_changes, limit=7)} == found
named = wiki.list_pages(path=["is it?", "no page"], include=["summary"])
assert [one["path"] for one in named["items"] if "missing" in one and one["missing"]] == ["no page"], named
of_paths = paginate(wiki.list_pages, path=["is it?", "no page"], include=["summary"])
assert [one["path"] if "missing" in one else one["title"] for one in of_paths] == ["is it?", "no page"]
paginate(wiki.list_pages, path=["tea"], limit="3")  # type: ignore
paginate(wiki.list_pages, limt=3)  # type: ignore
for one in paginate(wiki.list_pages, path=["tea"]):
    one["title"]  # type: ignore
parameters = inspect.signature(wiki.list_pages).parameters.keys()
for of_pages in (*get_overloads(paginate)[:2], *get_overloads(apaginate)[:2]):
    assert parameters == inspect.signature(of_pages).parameters.keys() - {"operation"}
for no_list in (wiki.get_page, print):
    try:
        paginate(no_list, path="is it?")  # type: ignore
        raise AssertionError
    except TypeError as error:
        assert "a method that returns a list" in str(error), error
page, headers = with_headers(wiki.get_page, "is it?", format="html")
tag: str = headers["ETag"]
title: str = page["title"]
assert tag and headers["X-Request-Id"] and page == wiki.get_page("is it?", format="html"), headers
patch_headers: Headers = with_headers(lambda: wiki.get_revision_diff(sys.argv[2], format="unified"))[1]
assert patch_headers["Content-Type"].startswith("text/plain")
misspelled = lambda: with_headers(wiki.get_page, "tea", formt="html")  # type: ignore
hits = wiki.search_pages(q="Text", all=True)
difference = wiki.get_revision_diff(sys.argv[2], format="json")
assert difference["added"] == 1, difference
patch: str = wiki.get_revision_diff(sys.argv[2], format="unified")
feed: str = wiki.get_recent_feed()
try:
    list(paginate(wiki.list_pages, limit=0, locale="?"))
except ApiError as error:
    wrong = [error.message == str(error), error.invalid_parameters, error.retry_after, error.moved_to]
    assert error.request_id and error.request_id == error.headers["X-Request-ID"]
try:
    wiki.get_page("a/b?c")
except ApiError as error:
    print(json.dumps([titles, page["html"], len(hits["items"]), error.status, error.code, wrong, patch, feed[:5]]))
