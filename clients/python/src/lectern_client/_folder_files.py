"""The pictures and documents of the pages of a mirror. They are in the folder ``files``, by the hash of their bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from . import api
from ._errors import bytes_of
from ._file_names import FILES_FOLDER, file_in_folder
from ._requests import ApiError, Patience, Reply
from ._store import Store
from ._transport import Sender, run

# The names of the files that each page has.
INDEX = ".mirror.files.json"


class FolderFiles:
    """The files of a folder. A page is named by its file."""

    def __init__(self, store: Store, send: Sender, patience: Patience) -> None:
        self._store = store
        self._send = send
        self._patience = patience
        self._index: dict[str, list[str]] = json.loads(store.read(INDEX) or "{}")

    def add(self, pages: Mapping[str, Sequence[api.PageFile]]) -> None:
        """Downloads the files of pages that are not in the folder yet."""
        wanted = {self._name_of(file): file for files in pages.values() for file in files}
        for name, file in wanted.items():
            if not self._store.has(name):
                data = self._download(file)
                if data is not None:
                    self._store.write({name: data})

    def update(self, pages: Mapping[str, Sequence[api.PageFile]], removed: Iterable[str]) -> None:
        """Stores which files these pages have. ``removed`` are the files of pages that are gone."""
        for page in removed:
            self._index.pop(page, None)
        for page, files in pages.items():
            if files:
                self._index[page] = [self._name_of(file) for file in files]
            else:
                self._index.pop(page, None)
        self._store.write({INDEX: json.dumps(self._index, ensure_ascii=False) + "\n"})

    def remove_unused(self) -> None:
        """Removes what no page has any more."""
        used = {name for names in self._index.values() for name in names}
        self._store.remove([file for file in self._store.files_in(FILES_FOLDER) if file not in used])

    def _name_of(self, file: api.PageFile) -> str:
        return file_in_folder(file["sha256"], file["path"], self._store.folds_case)

    def _download(self, file: api.PageFile) -> bytes | None:
        """None if it has changed meanwhile, or was withdrawn: then a later change names the page again."""

        def read(reply: Reply) -> bytes:
            data = bytes_of(reply)
            if hashlib.sha256(data).hexdigest() != file["sha256"]:
                raise ValueError(f"{file['url']}: the bytes have another hash")
            return data

        try:
            return run(self._patience.steps(file["url"], read), self._send)
        except ApiError as error:
            if error.status == 404:
                return None
            raise
