"""Tantivy in a process of its own, by the protocol of protocol.ts. Usage: tantivy_process.py fields|one-field"""
import gzip
import json
import sys
import time

import tantivy

FIELDS = ["title", "headings", "url", "body"]
BOOSTS = {"title": 4.0, "headings": 2.0, "url": 1.5, "body": 1.0}
# The title alone is kept apart in both forms, for intitle.
SEARCHED = FIELDS if sys.argv[1] == "fields" else ["text"]


def schema():
    builder = tantivy.SchemaBuilder()
    for name in dict.fromkeys(["title", *SEARCHED]):
        builder.add_text_field(name, tokenizer_name="spaces", index_option="freq")
    return builder.build()


def with_tokenizer(index):
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("spaces", analyzer)
    return index


def documents(request):
    with gzip.open(request["termsFile"], "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number == request["pages"]:
                return
            terms = dict(zip(FIELDS, json.loads(line)))
            if "text" in SEARCHED:
                terms = {"title": terms["title"], "text": " ".join(terms.values())}
            yield tantivy.Document(**terms)


def build(request):
    # The writer's thread works while the next page is read, so all CPU counts, less that of reading alone.
    before = time.process_time()
    for _ in documents(request):
        pass
    reading = time.process_time() - before
    before = time.process_time()
    index = with_tokenizer(tantivy.Index(schema(), path=request["folder"]))
    writer = index.writer(heap_size=2_000_000_000, num_threads=1)
    for document in documents(request):
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    return {"build": {"cpuSeconds": time.process_time() - before - reading}}


class Engine:
    def open(self, request):
        started = time.perf_counter()
        before = time.process_time()
        self.schema = schema()
        self.index = with_tokenizer(tantivy.Index.open(request["folder"]))
        self.searcher = self.index.searcher()
        return {
            "openMs": (time.perf_counter() - started) * 1000,
            "openCpuMs": (time.process_time() - before) * 1000,
        }

    def ask(self, request):
        totals, micros = [], []
        for query in request["queries"]:
            # Made before the clock runs: the cost of making it is Python's, not Tantivy's.
            made = self.query(query["terms"])
            before = time.process_time_ns()
            found = self.searcher.search(made, 10, count=True)
            micros.append((time.process_time_ns() - before) / 1000)
            totals.append(found.count)
        return {"totals": totals, "micros": micros}

    def query(self, terms):
        must = [self.any_of(group) for group in terms["all"]]
        must += [self.term("title", term) for term in terms["title"]]
        if len(must) == 1 and not terms["none"]:
            return must[0]
        parts = [(tantivy.Occur.Must, part) for part in must]
        parts += [(tantivy.Occur.MustNot, self.any_of([term])) for term in terms["none"]]
        return tantivy.Query.boolean_query(parts)

    def any_of(self, group):
        parts = [self.term(name, term) for term in group for name in SEARCHED]
        if len(parts) == 1:
            return parts[0]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, part) for part in parts])

    def term(self, name, term):
        query = tantivy.Query.term_query(self.schema, name, term, "freq")
        boost = BOOSTS.get(name, 1.0)
        return query if boost == 1.0 else tantivy.Query.boost_query(query, boost)


def main():
    engine = Engine()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = {"build": build, "open": engine.open, "ask": engine.ask}[request["do"]](request)
        except Exception as error:
            reply = {"failed": str(error)}
        print(json.dumps(reply), flush=True)


main()
