import type { WriteStream } from 'node:tty';
import { Presets, SingleBar } from 'cli-progress';
import type { CrawlProgress } from '../crawl/crawl-tally.ts';

export interface Progress {
  update(progress: CrawlProgress): void;
  /** A line of its own, above the bar. */
  note(line: string): void;
  /** Takes the bar away; may be called twice. */
  end(): void;
}

const lineEveryMs = 2000;

/** How far a crawl is: a bar on a terminal, elsewhere a line at once and then one every two seconds. */
export function createProgress(stream: NodeJS.WriteStream | WriteStream, maxPages: number): Progress {
  return stream.isTTY ? progressBar(stream, maxPages) : progressLines(stream);
}

function progressBar(stream: NodeJS.WriteStream, maxPages: number): Progress {
  const bar = new SingleBar(
    { stream, clearOnComplete: true, hideCursor: true, format: '{bar} {value}/{total} pages  {rest}' },
    Presets.shades_classic,
  );
  let isShown = false;
  return {
    update(progress) {
      const done = progress.stored + progress.unchanged;
      // A small site ends long before the limit, so the bar aims at what is known of it.
      const total = Math.min(maxPages, done + progress.queued);
      if (!isShown) bar.start(total, 0, { rest: '' });
      isShown = true;
      bar.setTotal(Math.max(1, total));
      bar.update(done, {
        rest: `${progress.queued} queued, ${progress.failed} failed  ${path(progress.url)}`,
      });
    },
    note(line) {
      if (isShown) bar.stop();
      isShown = false;
      stream.write(`${line}\n`);
    },
    end() {
      if (isShown) bar.stop();
      isShown = false;
    },
  };
}

function progressLines(stream: NodeJS.WritableStream): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    update({ stored, unchanged, refusedByRobots, failed, queued, url }) {
      if (performance.now() - shownAt < lineEveryMs) return;
      shownAt = performance.now();
      const counts = `${stored} stored, ${unchanged} unchanged, ${refusedByRobots} refused by robots.txt, ${failed} failed`;
      stream.write(`${counts}, ${queued} queued: ${url}\n`);
    },
    note: (line) => void stream.write(`${line}\n`),
    end() {},
  };
}

function path(url: string): string {
  const { pathname } = new URL(url);
  return pathname.length > 30 ? `…${pathname.slice(-29)}` : pathname;
}
