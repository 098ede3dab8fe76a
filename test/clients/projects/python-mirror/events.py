"""Reads a stream of events from standard input, cut into parts of each size, and prints what they are."""

import json
import sys

from lectern_client._events import EventReader

text = sys.stdin.buffer.read()
for size in range(1, len(text)):
    reader = EventReader()
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    events = [[event.id, event.data] for part in parts for event in reader.read(part)]
    print(json.dumps({"events": events, "retry": reader.retry}))
