"""Prints what operations.py prints in part, under asyncio. Usage: async_operations.py API REVISION"""

import asyncio
import json
import sys

import httpx
from lectern_client import ApiError, AsyncWiki, apaginate, awith_headers


async def main() -> None:
    async with AsyncWiki(sys.argv[1]) as wiki:
        titles = [page["title"] async for page in apaginate(wiki.list_pages, limit=10)]
        paths = apaginate(wiki.list_pages, path=["is it?", "no page"])
        assert [one["path"] async for one in paths if "missing" in one] == ["no page"]
        assert [one["title"] for one in (await wiki.list_pages(limit=1))["items"]] == titles[:1]
        try:
            apaginate(wiki.get_page, path="is it?")  # type: ignore
            raise AssertionError
        except TypeError as error:
            assert "a method that returns a list" in str(error), error
        found, (page, headers), patch = await asyncio.gather(
            wiki.search_pages(q="Text", limit=20),
            awith_headers(wiki.get_page, "is it?", format="html"),
            wiki.get_revision_diff(sys.argv[2], format="unified"),
        )
        assert headers["ETag"] == (await awith_headers(wiki.get_page, "is it?", format="html"))[1]["ETag"]
        try:
            await wiki.get_page("missing")
        except ApiError as error:
            missing = error.status
    try:
        await wiki.get_wiki()
    except RuntimeError as error:
        closed = "closed" in str(error)
    async with httpx.AsyncClient() as client:
        async with AsyncWiki(sys.argv[1], client=client) as wiki:
            await wiki.get_wiki()
        left_open = not client.is_closed
    print(json.dumps([titles, len(found["items"]), page.get("html"), patch, missing, closed, left_open]))


asyncio.run(main())
