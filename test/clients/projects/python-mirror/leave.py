"""Leaves a loop over `afollow` after one change, and prints what asyncio complains of. Usage: leave.py API"""

import asyncio
import json
import sys

from lectern_client import afollow


async def main(api: str) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda _, context: print(json.dumps(str(context))))
    async for change in afollow(api):
        print(json.dumps(change.item["path"]))
        break


asyncio.run(main(sys.argv[1]))
