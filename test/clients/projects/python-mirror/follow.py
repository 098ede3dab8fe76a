"""Mirrors an API into a folder for ever. Usage: follow.py API FOLDER"""

import sys

from lectern_client import mirror_folder

mirror_folder(sys.argv[1], sys.argv[2], poll=0.005, limit=20, first_pause=0.01)
