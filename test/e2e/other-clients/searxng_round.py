"""Asks a service through LangChain's own SearXNG wrapper and prints what it made of the answers, as JSON."""

import json
import sys

from langchain_community.utilities import SearxSearchWrapper

address, question = sys.argv[1:]
wrapper = SearxSearchWrapper(searx_host=address)
print(json.dumps({"results": wrapper.results(question, num_results=3), "text": wrapper.run(question)}))
