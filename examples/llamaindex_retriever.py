"""A LlamaIndex retriever over Gleaner's HTTP API: the pages of a search, with their whole text.

Usage: llamaindex_retriever.py QUESTION. Needs llama-index-core. GLEANER_URL and GLEANER_KEY as in README.md.
"""

import json
import os
import sys
import urllib.parse
import urllib.request

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode


class GleanerRetriever(BaseRetriever):
    """Finds `k` pages and reads the local ones; an external one has its snippet for a text."""

    def __init__(self, base_url: str, key: str | None = None, k: int = 3) -> None:
        self.base_url, self.key, self.k = base_url, key, k
        super().__init__()

    def _get(self, path: str) -> dict:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        request = urllib.request.Request(self.base_url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def _node(self, result: dict) -> NodeWithScore:
        metadata = {name: result[name] for name in ("url", "title", "crawled_at", "source")}
        text = result["snippet"]
        if result["id"]:
            text = self._get(f"/api/v1/content/{result['id']}?format=markdown")["body_text"]
        return NodeWithScore(node=TextNode(text=text, metadata=metadata), score=result["score"])

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        # With partial=true, pages that hold most words of a question come where none holds all.
        asked = urllib.parse.urlencode({"q": query_bundle.query_str, "limit": self.k, "partial": "true"})
        found = self._get(f"/api/v1/search?{asked}")
        results = [*found["results"], *found.get("partial_matches", [])]
        return [self._node(result) for result in results[: self.k]]


if __name__ == "__main__":
    retriever = GleanerRetriever(
        os.environ.get("GLEANER_URL", "http://127.0.0.1:8080"), os.environ.get("GLEANER_KEY")
    )
    for found in retriever.retrieve(" ".join(sys.argv[1:])):
        print(f"# {found.metadata['title']}\n{found.metadata['url']}\n")
        print(found.text, end="\n\n")
