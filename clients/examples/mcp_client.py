"""Starts the MCP server on stdio and uses two of its tools, as a desktop app does."""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(
    command=sys.executable,
    args=[
        "-m",
        "mneme",
        "mcp",
        "--store",
        os.environ["MNEME_STORE"],
        "--owner",
        "user-42",
    ],
    env=dict(os.environ),
)


async def main() -> None:
    """Keep one thing and ask for it."""
    async with Client(SERVER) as client:
        await client.call_tool("save", {"content": "用户喜欢蓝色"})
        result = await client.call_tool("context", {"query": "喜欢什么颜色"})
        print(result.structured_content["result"])


asyncio.run(main())
