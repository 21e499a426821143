"""A LangChain retriever over Gleaner's HTTP API: the pages of a search, with their whole text.

Usage: langchain_retriever.py QUESTION. Needs langchain-core. GLEANER_URL and GLEANER_KEY as in README.md.
"""

import json
import os
import sys
import urllib.parse
import urllib.request

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever


class GleanerRetriever(BaseRetriever):
    """Finds `k` pages and reads the local ones; an external one has its snippet for a text."""

    base_url: str = "http://127.0.0.1:8080"
    key: str | None = None
    k: int = 3

    def _get(self, path: str) -> dict:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        request = urllib.request.Request(self.base_url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def _document(self, result: dict) -> Document:
        metadata = {name: result[name] for name in ("url", "title", "crawled_at", "source")}
        if not result["id"]:
            return Document(page_content=result["snippet"], metadata=metadata)
        page = self._get(f"/api/v1/content/{result['id']}?format=markdown")
        return Document(page_content=page["body_text"], metadata=metadata)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        # With partial=true, pages that hold most words of a question come where none holds all.
        asked = urllib.parse.urlencode({"q": query, "limit": self.k, "partial": "true"})
        found = self._get(f"/api/v1/search?{asked}")
        results = [*found["results"], *found.get("partial_matches", [])]
        return [self._document(result) for result in results[: self.k]]


if __name__ == "__main__":
    retriever = GleanerRetriever(
        base_url=os.environ.get("GLEANER_URL", "http://127.0.0.1:8080"),
        key=os.environ.get("GLEANER_KEY"),
    )
    for document in retriever.invoke(" ".join(sys.argv[1:])):
        print(f"# {document.metadata['title']}\n{document.metadata['url']}\n")
        print(document.page_content, end="\n\n")
