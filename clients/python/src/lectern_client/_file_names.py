"""The file of a page. The JavaScript client computes the same names."""

from __future__ import annotations

import hashlib
import re

# Characters that mean something to a file system, or to ``file_name_of``, and half of a surrogate pair, which UTF-8
# cannot express. Windows forbids most of them.
UNSAFE = re.compile(r'[\x00-\x1f\x7f%/\\:*?"<>|\ud800-\udfff]')
# Names of devices, with which the name of a file on Windows cannot begin.
DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|\Z)", re.IGNORECASE)
# Where letters had an upper and a lower case in Unicode 14. Later versions add some, and no two programs need have the
# same version.
CASED = re.compile(
    "[\0-\u1c88\u1c90-\u1cbf\u1d00-\ua7ca\ua7d0\ua7d1\ua7d6-\ua7d9\ua7f2-\uffff\U00010400-\U000104ff"
    "\U00010570-\U000105bf\U00010c80-\U00010cff\U000118a0-\U000118df\U00016e40-\U00016e7f\U0001e900-\U0001e943]"
)
# The folder of the pictures and documents. No language has this name.
FILES_FOLDER = "files"
# Bytes of the name of a file or folder: file systems allow 255.
LONGEST_NAME = 200
# Bytes of a path within the folder: Linux allows 4,096 for the whole path, macOS 1,024.
LONGEST_PATH = 700


def file_name_of(locale: str, path: str, extension: str, folds_case: bool) -> str:
    """The file of a page, as a path in the folder of the mirror, with ``/``. No two pages have the same file.

    :param extension: ends the name of each file, and of no folder
    :param folds_case: whether the file system takes ``Tea`` and ``tea`` for the same name
    """

    def name(text: str, is_folder: bool) -> str:
        return _shorten(_escape_name(text, is_folder, extension, folds_case))

    segments = path.split("/")
    last = len(segments) - 1
    folder = name(locale, True)
    whole = "/".join([folder, *(name(segment, i < last) for i, segment in enumerate(segments))])
    if _size(whole) > LONGEST_PATH:
        whole = f"{folder}/{_hashed(whole)}"
    return whole + extension


def file_in_folder(sha256: str, path: str, folds_case: bool) -> str:
    """The file of a picture or document, as a path in the folder of the mirror: by its hash, with its own name.

    :param sha256: 64 hexadecimal digits
    :param path: of the file on the wiki
    """
    if not re.fullmatch("[0-9a-f]{64}", sha256):
        raise ValueError(f"This is no hash: {sha256}")
    name = path.rsplit("/", 1)[-1]
    return f"{FILES_FOLDER}/{sha256}/{_shorten(_escape_name(name, False, '', folds_case))}"


def _escape_name(text: str, is_folder: bool, extension: str, folds_case: bool) -> str:
    # A name is never empty, and no other text becomes this one, since `%` itself is escaped.
    if text == "":
        return "%"
    name = "".join(
        _percent_encode(character) if UNSAFE.match(character) or (folds_case and _has_case(character)) else character
        for character in text
    )
    # A dot at the beginning hides a file; Windows drops a dot or a space at the end.
    if name.startswith(".") or DEVICE.match(name):
        name = _percent_encode(name[0]) + name[1:]
    if name.endswith((".", " ")):
        name = name[:-1] + _percent_encode(name[-1])
    # The page `tea.md/green` must not need a folder where the page `tea` has its file.
    if is_folder and name.lower().endswith(extension):
        name = f"{name[: -len(extension)]}%2E{name[len(name) - len(extension) + 1 :]}"
    return name


def _has_case(character: str) -> bool:
    """Whether another character differs from this one in case alone, on some file system."""
    if not CASED.match(character):
        return False
    return character.lower() != character or character.upper().lower() != character


def _percent_encode(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def _shorten(name: str) -> str:
    return name if _size(name) <= LONGEST_NAME else _hashed(name)


def _hashed(name: str) -> str:
    """The beginning of a name, and a hash of all of it. ``%~`` is in no other name."""
    start = ""
    for character in name.replace("/", " "):
        if _size(start + character) > 100:
            break
        start += character
    return f"{start}%~{hashlib.sha256(name.encode()).hexdigest()[:32]}"


def _size(text: str) -> int:
    return len(text.encode())
