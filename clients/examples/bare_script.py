"""No framework: save, find, and put what was found in front of a prompt."""

import os
from datetime import datetime, timezone

import mneme
from mneme import MemoryItem, Source

with mneme.open(os.environ["MNEME_STORE"]) as memory:
    memory.save(
        MemoryItem(
            owner_id="user-42",
            content="我喜欢蓝色",
            type="preference",
            source=Source("user_input", "wechat"),
        )
    )
    found = memory.search("用户喜欢什么颜色", owner_id="user-42")
    print(mneme.fenced(found, now=datetime.now(timezone.utc)))
