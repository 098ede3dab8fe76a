"""Reads lines of JSON, `[locale, path, extension, folds_case]`, and prints the name of the file of each."""

import json
import sys

from lectern_client._file_names import file_name_of

for line in sys.stdin.buffer:
    print(json.dumps(file_name_of(*json.loads(line))))
