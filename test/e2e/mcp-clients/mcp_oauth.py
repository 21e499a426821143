"""The OAuth flow of Python's MCP client against a service of key holders: prints what came of it as one line of JSON.

Usage: mcp_oauth.py URL. Its user signs in and agrees at once, so following redirects is all that a browser would do.
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urljoin, urlparse

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

callback = "https://client.example/callback"


class Memory:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def play(url):
    memory = Memory()
    returned = {}

    async def redirect(address):
        async with httpx2.AsyncClient() as browser:
            while not address.startswith(callback):
                answer = await browser.get(address)
                address = urljoin(address, answer.headers["location"])
        returned.update(parse_qs(urlparse(address).query))

    async def called_back():
        names = ("code", "state", "iss")
        return AuthorizationCodeResult(**{name: returned[name][0] for name in names if name in returned})

    oauth = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(
            client_name="Python round", redirect_uris=[callback], token_endpoint_auth_method="none"
        ),
        storage=memory,
        redirect_handler=redirect,
        callback_handler=called_back,
    )
    async with httpx2.AsyncClient(auth=oauth, timeout=30) as http_client:
        async with Client(streamable_http_client(url, http_client=http_client)) as client:
            tools = await client.list_tools()
            found = await client.call_tool("web_search", {"q": "api key", "limit": 3})
    return {
        "tools": [tool.name for tool in tools.tools],
        "results": len(found.structured_content["results"]),
        "scope": memory.tokens.scope,
        "registered": memory.client.client_id is not None,
    }


print(json.dumps(asyncio.run(play(sys.argv[1]))))
