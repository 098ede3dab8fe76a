"""Texts as UTF-8 can express them."""

from __future__ import annotations

import re

SURROGATE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """Replaces halves of surrogate pairs, which JSON can contain, and which ``str.encode`` refuses."""
    return SURROGATE.sub("\ufffd", text)
