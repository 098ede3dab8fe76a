"""A client of Lectern, the read-only API of wikis, that also keeps a copy of a wiki."""

from ._folder import FolderChanges, markdown_file, mirror_folder
from ._follow import FollowedChange, afollow, follow
from ._mirror import Batch, Included, amirror, mirror
from ._paginate import apaginate, paginate
from ._requests import ApiError, Retry, UnexpectedResponse, Unreachable, UnknownCursor
from ._wiki import AsyncWiki, Wiki

__all__ = [
    "ApiError",
    "AsyncWiki",
    "Batch",
    "FolderChanges",
    "FollowedChange",
    "Included",
    "Retry",
    "UnexpectedResponse",
    "Unreachable",
    "UnknownCursor",
    "Wiki",
    "afollow",
    "amirror",
    "apaginate",
    "follow",
    "markdown_file",
    "mirror",
    "mirror_folder",
    "paginate",
]
