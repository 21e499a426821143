"""Whole answers of Tantivy and of SQLite's FTS5: ten results with title, URL and snippet as JSON, and the exact total.

Usage: answers.py tantivy|fts5 FOLDER make|open
A request a line on stdin, a reply a line on stdout: {"page": {...}} adds a page and has no reply, {"do": "finish"} ends
the index and replies with the CPU of the process in milliseconds, {"do": "ask", "queries": [...]} answers each query and
replies with its CPU in milliseconds,
{"do": "answer", "query": "..."} replies with the answer.
"""
import json
import sqlite3
import sys
import time

FIELDS = ["title", "headings", "body"]
# As Gleaner weighs them.
BOOSTS = {"title": 4.0, "headings": 2.0, "body": 1.0}
SNIPPET_CHARS = 300
SNIPPET_TOKENS = 48


class Tantivy:
    def __init__(self, folder, makes):
        import tantivy

        self.tantivy = tantivy
        if not makes:
            self.index = tantivy.Index.open(folder)
            self.schema = self.index.schema
            self.searcher = self.index.searcher()
            return
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("url", stored=True, tokenizer_name="raw")
        builder.add_text_field("headings", tokenizer_name="en_stem")
        for name in ["title", "body"]:
            builder.add_text_field(name, stored=True, tokenizer_name="en_stem")
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema, path=folder)
        self.writer = self.index.writer(heap_size=1_000_000_000, num_threads=1)

    def add(self, page):
        self.writer.add_document(self.tantivy.Document(**page))

    def finish(self):
        self.writer.commit()
        self.writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def answer(self, text):
        query = self.index.parse_query(text, FIELDS, field_boosts=BOOSTS, conjunction_by_default=True)
        found = self.searcher.search(query, 10, count=True)
        snippets = self.tantivy.SnippetGenerator.create(self.searcher, query, self.schema, "body")
        snippets.set_max_num_chars(SNIPPET_CHARS)
        results = []
        for score, address in found.hits:
            page = self.searcher.doc(address)
            results.append(
                {
                    "url": page["url"][0],
                    "title": page["title"][0],
                    "snippet": snippets.snippet_from_doc(page).fragment(),
                    "score": score,
                }
            )
        return {"total": found.count, "results": results}


class Fts5:
    def __init__(self, folder, makes):
        self.database = sqlite3.connect(f"{folder}/fts5.db", isolation_level=None)
        self.database.execute("PRAGMA mmap_size = 4000000000")
        if not makes:
            return
        self.database.executescript(
            """PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            CREATE VIRTUAL TABLE pages USING fts5(url UNINDEXED, title, headings, body, tokenize = 'porter unicode61');
            INSERT INTO pages (pages, rank) VALUES ('rank', 'bm25(0, 4, 2, 1)')"""
        )
        self.database.execute("BEGIN")

    def add(self, page):
        row = [page["url"], *(page[name] for name in FIELDS)]
        self.database.execute("INSERT INTO pages (url, title, headings, body) VALUES (?, ?, ?, ?)", row)

    def finish(self):
        self.database.execute("COMMIT")
        self.database.execute("INSERT INTO pages (pages) VALUES ('optimize')")

    def answer(self, text):
        # `"a phrase"`, OR and words; words are quoted, since FTS5 takes no bare `c++`.
        match = text if '"' in text else " ".join(w if w == "OR" else f'"{w}"' for w in text.split())
        (total,) = self.database.execute("SELECT count(*) FROM pages WHERE pages MATCH ?", [match]).fetchone()
        rows = self.database.execute(
            f"""SELECT url, title, snippet(pages, 3, '', '', '…', {SNIPPET_TOKENS}), rank FROM pages
            WHERE pages MATCH ? ORDER BY rank LIMIT 10""",
            [match],
        )
        results = [dict(zip(["url", "title", "snippet", "score"], row)) for row in rows]
        return {"total": total, "results": results}


def main():
    engine = {"tantivy": Tantivy, "fts5": Fts5}[sys.argv[1]](sys.argv[2], sys.argv[3] == "make")
    for line in sys.stdin:
        request = json.loads(line)
        if "page" in request:
            engine.add(request["page"])
            continue
        if request["do"] == "finish":
            engine.finish()
            print(json.dumps({"cpuMs": time.process_time() * 1000}), flush=True)
            continue
        if request["do"] == "answer":
            print(json.dumps(engine.answer(request["query"])), flush=True)
            continue
        cpu_ms, totals = [], []
        for query in request["queries"]:
            before = time.process_time_ns()
            answer = engine.answer(query)
            json.dumps(answer)
            cpu_ms.append((time.process_time_ns() - before) / 1e6)
            totals.append(answer["total"])
        print(json.dumps({"cpuMs": cpu_ms, "totals": totals}), flush=True)


main()
