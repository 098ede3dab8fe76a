"""A client of Lectern, the read-only API of wikis, that also keeps a copy of a wiki."""

from ._folder import FolderChanges, markdown_file, mirror_folder
from ._follow import FollowedChange, afollow, follow
from ._mirror import Batch, Included, amirror, mirror
from ._paginate import apaginate, paginate
from ._requests import ApiError, Headers, Retry, UnexpectedResponse, Unreachable, UnknownCursor
from ._wiki import AsyncWiki, Wiki, awith_headers, with_headers

__all__ = [
    "ApiError",
    "AsyncWiki",
    "Batch",
    "FolderChanges",
    "FollowedChange",
    "Headers",
    "Included",
    "Retry",
    "UnexpectedResponse",
    "Unreachable",
    "UnknownCursor",
    "Wiki",
    "afollow",
    "amirror",
    "apaginate",
    "awith_headers",
    "follow",
    "markdown_file",
    "mirror",
    "mirror_folder",
    "paginate",
    "with_headers",
]
