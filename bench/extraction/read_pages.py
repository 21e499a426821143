"""Reads pages with trafilatura or htmldate. Usage: read_pages.py trafilatura|htmldate

A line of JSON on stdin for each page ({"key", "file", "url"}), one on stdout for each answer."""
import gzip
import json
import logging
import resource
import sys
import time

logging.disable(logging.CRITICAL)


def trafilatura_reader():
    from trafilatura import bare_extraction

    def read(page, url):
        # As in trafilatura's own evaluation.
        document = bare_extraction(page, url=url, with_metadata=True, include_comments=False)
        if document is None:
            return {}
        return {
            "text": document.text,
            "title": document.title,
            "author": document.author,
            "date": document.date,
        }

    return read


def htmldate_reader():
    from htmldate import find_date

    return lambda page, url: {"date": find_date(page, url=url, extensive_search=True, original_date=True)}


def main():
    read = {"trafilatura": trafilatura_reader, "htmldate": htmldate_reader}[sys.argv[1]]()
    for line in sys.stdin:
        request = json.loads(line)
        with gzip.open(request["file"], "rb") as file:
            page = file.read()
        failed = False
        begin = time.process_time()
        try:
            answer = read(page, request["url"])
        except Exception:
            answer, failed = {}, True
        cpu_ms = (time.process_time() - begin) * 1000
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        answer.update(key=request["key"], cpuMs=cpu_ms, failed=failed, peakMegabytes=peak_mb)
        print(json.dumps(answer))


main()
