"""An agent that looks something up with Gleaner's MCP tools: python3 agent.py QUESTION

It connects to GLEANER_URL over HTTP, or starts GLEANER_COMMAND over stdio. Needs: pip install 'mcp>=2,<3'
"""

import asyncio
import os
import shlex
import sys

from mcp import Client, StdioServerParameters

PAGES_READ = 2
MAX_STEPS = 6


def next_step(question, observed):
    """Decides what to do next: ("call", name, arguments) or ("answer", text).

    A real agent asks its model here, with the tools of `list_tools()` and what was observed. This plan is fixed, so that
    the example runs without a key: search, read the best pages, give their passages with the sources.
    """
    if not observed:
        return "call", "web_search", {"q": question, "limit": 5}
    results = observed[0]["results"][:PAGES_READ]
    reads = observed[1:]
    if len(reads) < len(results):
        result = results[len(reads)]
        # A local result has an id; any other is read by its URL.
        page = {"id": result["id"]} if result["id"] else {"url": result["url"]}
        return "call", "fetch_content", {**page, "find": question}
    sources = []
    for number, page in enumerate(reads, start=1):
        text = "\n".join(passage["text"] for passage in page.get("passages", [])[:2])
        sources.append(f"[{number}] {page['title']}\n{page['url']}\n<page>\n{text}\n</page>")
    return "answer", "\n\n".join(sources) or "The index has nothing about that."


def server():
    command = os.environ.get("GLEANER_COMMAND")
    if command:
        program, *arguments = shlex.split(command)
        return StdioServerParameters(command=program, args=arguments, env=dict(os.environ))
    url = os.environ.get("GLEANER_URL", "http://127.0.0.1:8080").rstrip("/") + "/mcp"
    key = os.environ.get("GLEANER_KEY")
    if not key:
        return url
    # Both come with the package `mcp`.
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=60)
    return streamable_http_client(url, http_client=client)


async def main(question):
    observed = []
    async with Client(server()) as client:
        for _ in range(MAX_STEPS):
            kind, *rest = next_step(question, observed)
            if kind == "answer":
                print(rest[0])
                return
            result = await client.call_tool(*rest)
            if result.is_error:
                raise SystemExit(result.content[0].text)
            observed.append(result.structured_content)


asyncio.run(main(" ".join(sys.argv[1:]) or "how do I crawl a site"))
