"""Makes a folder a copy of a wiki."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import api
from ._file_names import file_name_of
from ._folder_files import FolderFiles
from ._mirror import Batch, Included, give_up_after_of, mirror
from ._requests import Patience, Retry, UnknownCursor
from ._store import Store, open_store
from ._transport import api_url
from ._wiki import sender

if TYPE_CHECKING:
    import httpx

# The shortest time from one beginning from nothing to the next, seconds.
RESTART_INTERVAL = 3600
# The field of a page that lists its files.
FILES: Included = "files"
# Characters that YAML does not allow in a quoted text, although JSON does, and half of a surrogate pair.
NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


@dataclass(frozen=True)
class FolderChanges:
    """The pages of a batch. Files are named by their paths in the folder, with ``/``."""

    #: Pages that are new or have changed.
    written: list[str]
    #: Pages that are gone.
    removed: list[str]
    #: Whether the folder is what the wiki was a moment ago.
    is_current: bool


def markdown_file(page: api.ChangedPage) -> str:
    """The file of a page: front matter in YAML with what a reader needs to name and link the page, then the Markdown."""
    markdown = page.get("markdown")
    if not isinstance(markdown, str):
        raise ValueError(f"The service sent no Markdown for the page {page['path']}")
    fields = {
        "title": page["title"],
        "path": page["path"],
        "locale": page["locale"],
        "ns": page["ns"],
        "url": page["url"],
        "revision": page["revision"]["id"],
        "edited_at": page["revision"]["created_at"],
        "author": page["revision"]["author"]["name"],
    }
    return f"---\n{''.join(f'{name}: {_quote(value)}{chr(10)}' for name, value in fields.items())}---\n\n{markdown}"


def _quote(value: str) -> str:
    """A text of JSON is one of YAML, except for a few characters."""
    return NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def mirror_folder(
    base: str,
    folder: str,
    *,
    include: Sequence[Included] = ("markdown",),
    content_of: Callable[[api.ChangedPage], str] = markdown_file,
    extension: str = ".md",
    files: bool = False,
    on_batch: Callable[[FolderChanges], None] | None = None,
    locale: str | None = None,
    ns: str | None = None,
    limit: int = 200,
    poll: float | None = None,
    headers: Mapping[str, str] | None = None,
    client: httpx.Client | None = None,
    idle_timeout: float = 30,
    first_pause: float = 1,
    give_up_after: float | None = None,
    on_retry: Callable[[Retry], None] | None = None,
) -> None:
    """Makes a folder a copy of a wiki, a file for each page, and goes on where an earlier run ended, also if it was
    killed. It returns when the folder is current; with ``poll``, never.

    Files are replaced as a whole: who reads them never sees half of one. If the service does not know the cursor any
    more, everything comes again, and files of other pages are removed. The other parameters are those of ``mirror``.

    :param folder: the folder that becomes a copy. It is new or empty, or an earlier run made it
    :param content_of: the content of the file of a page; by default its Markdown, after front matter
    :param files: whether to copy the pictures and documents of the pages, too, into the folder ``files``
    :param on_batch: called when a batch is in the folder, for example to index the files again. If the program is
        killed before this function has returned, the next run calls it again for the same pages
    :raises BlockingIOError: if another process keeps this folder
    :raises ValueError: if the folder has files, but no mirror of this wiki
    """
    if not re.fullmatch(r"\.[a-z0-9]+", extension):
        raise ValueError(f"The extension must be like .md: {extension}")

    def batches(after: str | None) -> Generator[Batch, None, None]:
        return mirror(
            base,
            after,
            include=[*include, *([] if not files or "files" in include else [FILES])],
            locale=locale,
            ns=ns,
            limit=limit,
            poll=poll,
            headers=headers,
            client=client,
            idle_timeout=idle_timeout,
            first_pause=first_pause,
            give_up_after=give_up_after,
            on_retry=on_retry,
        )

    subject = {"base": api_url(base), "locale": locale, "ns": ns, "extension": extension, "files": files or None}
    with open_store(folder, {name: value for name, value in subject.items() if value is not None}) as store:
        folder_files = None
        if files:
            patience = Patience(first_pause, give_up_after_of(give_up_after, poll), on_retry)
            folder_files = FolderFiles(store, sender(client, headers, idle_timeout), patience)
        _Filler(store, folder_files, batches, content_of, extension, on_batch or (lambda _: None)).run()


class _Filler:
    def __init__(
        self,
        store: Store,
        files: FolderFiles | None,
        batches: Callable[[str | None], Generator[Batch, None, None]],
        content_of: Callable[[api.ChangedPage], str],
        extension: str,
        on_batch: Callable[[FolderChanges], None],
    ) -> None:
        self._store = store
        self._files = files
        self._batches = batches
        self._content_of = content_of
        self._extension = extension
        self._on_batch = on_batch

    def run(self) -> None:
        restarted_at = -math.inf
        while True:
            try:
                if self._store.cursor is None:
                    self._fill()
                self._follow()
                return
            except UnknownCursor:
                # Two databases behind one address would refuse each other's cursors without end.
                if time.monotonic() - restarted_at < RESTART_INTERVAL:
                    raise
                restarted_at = time.monotonic()
                self._store.set_cursor(None)

    def _fill(self) -> None:
        """Brings everything from the beginning into a folder with files.

        A file whose page does not come is of an earlier time. Until these are removed, no cursor is stored: nobody who
        starts from a cursor learns that they are gone.
        """
        old = set(self._store.files())
        if not old:
            return
        for batch in self._batches(None):
            written, removed = self._apply(batch.items)
            old.difference_update(written)
            if batch.is_current:
                removed += sorted(old)
                self._store.remove(old)
                if self._files is not None:
                    self._files.update({}, old)
                    self._files.remove_unused()
            self._on_batch(FolderChanges(written, removed, batch.is_current))
            if batch.is_current:
                self._store.set_cursor(batch.cursor)
                return

    def _follow(self) -> None:
        for batch in self._batches(self._store.cursor):
            written, removed = self._apply(batch.items)
            if batch.is_current and self._files is not None:
                self._files.remove_unused()
            self._on_batch(FolderChanges(written, removed, batch.is_current))
            if batch.cursor != self._store.cursor:
                self._store.set_cursor(batch.cursor)

    def _apply(self, items: Sequence[api.Change]) -> tuple[list[str], list[str]]:
        """Brings a batch into the folder."""
        contents: dict[str, str | None] = {}
        files_of_pages: dict[str, list[api.PageFile]] = {}
        for item in items:
            file = file_name_of(item["locale"], item["path"], self._extension, self._store.folds_case)
            if item["type"] == "upsert":
                contents[file] = self._content_of(item)
                files_of_pages[file] = item.get("files", [])
            elif item["type"] == "gone":
                contents[file] = None
        removed = [file for file, content in contents.items() if content is None]
        self._store.remove(removed)
        written: dict[str, str | bytes] = {
            file: content for file, content in contents.items() if content is not None
        }
        if self._files is not None:
            # Before the page, so that nobody finds a page without its pictures.
            self._files.add(files_of_pages)
        self._store.write(written)
        if self._files is not None and contents:
            self._files.update(files_of_pages, removed)
        return list(written), removed
