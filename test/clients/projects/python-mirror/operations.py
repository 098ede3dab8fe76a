"""Prints the titles of all pages, a page, a search and an error. Usage: operations.py API"""

import json
import sys

from lectern_client import ApiError, Wiki

wiki = Wiki(sys.argv[1])
titles: list[str] = []
after = ""
while True:
    part = wiki.list_pages(limit=10, after=after)
    titles += [page["title"] for page in part["items"] if "title" in page]
    after = part["next"]
    if after == "":
        break
named = wiki.list_pages(path=["is it?", "no page"], include=["summary"])
assert [one["path"] for one in named["items"] if "missing" in one] == ["no page"], named
page = wiki.get_page("is it?", format="html")
hits = wiki.search_pages(q="Text", all=True)
try:
    wiki.get_page("a/b?c")
except ApiError as error:
    print(json.dumps([titles, page["html"], len(hits["items"]), error.status, error.code]))
