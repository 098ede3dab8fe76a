"""Prints what a client raises for each response of the server, or that it is current. Usage: unexpected.py API"""

import json
import sys
from collections.abc import Callable

from lectern_client import ApiError, UnexpectedResponse, Wiki

wiki = Wiki(sys.argv[1])
calls: list[Callable[[], object]] = [wiki.list_changes, wiki.list_changes, wiki.get_recent_feed, wiki.list_changes]
for call in calls:
    try:
        call()
    except UnexpectedResponse as error:
        print(json.dumps([str(error), error.headers.get("Content-type"), error.text]))
for _ in range(2):
    try:
        Wiki(sys.argv[1], give_up_after=0).list_changes()
    except ApiError as error:
        print(json.dumps([error.status, error.message, error.retry_after, error.request_id, error.invalid_parameters]))
