"""Mirrors an API into a folder once, perhaps with files. Usage: once.py API FOLDER [files]"""

import json
import sys

from lectern_client import FolderChanges, mirror_folder


def report(changes: FolderChanges) -> None:
    print(json.dumps([changes.written, changes.removed, changes.is_current]))


mirror_folder(sys.argv[1], sys.argv[2], first_pause=0.001, files="files" in sys.argv[3:], on_batch=report)
