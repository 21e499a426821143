"""Searches and loads through Open WebUI's own files, and prints what they made of the answers, as JSON.

Usage: open_webui_round.py FOLDER URL KEY QUERY [ADDRESS...]; FOLDER holds the package's `open_webui`, as it is published.

The three files are run as they are. What they import of the rest of the program, which would bring a database and its
settings along, is put in its place here, as it is without a user and with the settings that it has from the start.
"""

import asyncio
import json
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from types import ModuleType, SimpleNamespace
from typing import Optional

import aiohttp
from pydantic import BaseModel


class SearchResult(BaseModel):
    link: str
    title: Optional[str]
    snippet: Optional[str]


async def get_session():
    return session


def put(name, **members):
    module = ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


put("fastapi", Request=object)
put("open_webui")
put(
    "open_webui.env",
    FORWARD_SESSION_INFO_HEADER_CHAT_ID="X-OpenWebUI-Chat-Id",
    AIOHTTP_CLIENT_SESSION_SSL=True,
    SEARXNG_CLIENT_CERT_FILE="",
    SEARXNG_CLIENT_KEY_FILE="",
)
put("open_webui.utils")
put("open_webui.utils.headers", include_user_info_headers=lambda headers, user: headers)
put("open_webui.utils.session_pool", get_session=get_session)
put("open_webui.retrieval.web.main", SearchResult=SearchResult, get_filtered_results=None)

folder, url, key, query, *addresses = sys.argv[1:]


def file(path):
    loader = SourceFileLoader(path.replace("/", "."), f"{folder}/open_webui/retrieval/{path}.py")
    module = module_from_spec(ModuleSpec(loader.name, loader))
    loader.exec_module(module)
    return module


request = SimpleNamespace(state=SimpleNamespace(chat_id="a-chat"))
found = file("web/external").search_external(request, f"{url}/openwebui/search", key, query, 3)
loader = file("loaders/external_web").ExternalWebLoader(
    addresses, f"{url}/openwebui/load", key, continue_on_failure=False
)
documents = list(loader.lazy_load())


async def search_as_searxng():
    global session
    async with aiohttp.ClientSession() as session:
        search = file("web/searxng").search_searxng
        return await search(f"{url}/search?q=<query>", query, 3)


print(
    json.dumps(
        {
            "external": [result.model_dump() for result in found],
            "documents": [[document.page_content, document.metadata] for document in documents],
            "searxng": [result.model_dump() for result in asyncio.run(search_as_searxng())],
        }
    )
)
