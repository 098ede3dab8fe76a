"""Walks a list of edits with `next` held as a datetime, and prints the id of each edit on a line of its own.

Usage: walk.py ADDRESS LIMIT
"""

import json
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import datetime
from typing import Optional, TypedDict


class Edit(TypedDict):
    id: str
    created_at: str


class Part(TypedDict):
    items: list[Edit]
    next: str


def moment(text: str) -> datetime:
    # Before Python 3.11 a `Z` is not understood.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def edits(address: str, limit: int) -> Iterator[Edit]:
    before: Optional[datetime] = None
    while True:
        query = {"limit": str(limit)}
        if before is not None:
            query["before"] = before.isoformat()
        with urllib.request.urlopen(f"{address}?{urllib.parse.urlencode(query)}") as answer:
            part: Part = json.load(answer)
        yield from part["items"]
        if part["next"] == "":
            return
        before = moment(part["next"])


def main() -> None:
    for edit in edits(sys.argv[1], int(sys.argv[2])):
        moment(edit["created_at"])
        print(edit["id"])


main()
