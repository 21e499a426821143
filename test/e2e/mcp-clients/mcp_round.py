"""What an agent does with Gleaner, through Python's MCP client: prints what came of it as one line of JSON.

Usage: mcp_round.py URL, or mcp_round.py COMMAND ARGUMENT...
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

environment = {"GLEANER_EXTERNAL": "off"}


def server(target, *arguments):
    if target.startswith("http"):
        return target
    return StdioServerParameters(command=target, args=list(arguments), env=environment)


async def play():
    told = []

    async def on_progress(progress, total, message):
        told.append(message)

    async with Client(server(*sys.argv[1:])) as client:
        tools = await client.list_tools()
        found = await client.call_tool("web_search", {"query": "api key", "max_results": "3"})
        [*results] = found.structured_content["results"]
        read = await client.call_tool(
            "fetch_content",
            {"id": results[0]["id"], "max_chars": 700},
            progress_callback=on_progress,
        )
        refused = await client.call_tool("web_search", {"q": "x", "limit": 1000})
        resource = await client.read_resource(f"gleaner://page/{results[0]['id']}")
        prompts = await client.list_prompts()
        return {
            "tools": [tool.name for tool in tools.tools],
            "ids": [result["id"] for result in results],
            "same": json.loads(found.content[0].text) == found.structured_content,
            "read": read.structured_content,
            "refused": [refused.is_error, refused.content[0].text],
            "resource": resource.contents[0].text,
            "prompts": len(prompts.prompts),
        }


print(json.dumps(asyncio.run(play())))
