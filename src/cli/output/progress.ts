import type { WriteStream } from 'node:tty';
import { Presets, SingleBar } from 'cli-progress';
import type { Config } from '../../config/config.ts';
import type { CrawlProgress } from '../../crawl/crawl-tally.ts';
import type { HostPause } from '../../crawl/host/host-crawl.ts';
import { describePause } from './crawl-summary.ts';
import { createJsonLines, createLineProgress } from './progress-lines.ts';

export interface ProgressView {
  update(progress: CrawlProgress): void;
  /** A host is left alone for a while. */
  pause(pause: HostPause): void;
  /** A line of its own, above the bar. */
  note(line: string): void;
  /** Removes the bar; may be called twice. */
  end(): void;
}

/** The progress of a crawl: lines of JSON on stdout with `json`, otherwise text on stderr; nothing when quiet. */
export function createCrawlProgress(options: {
  readonly json: boolean;
  readonly maxPages: number;
  readonly config: Pick<Config, 'quiet' | 'isDumbTerminal'>;
}): ProgressView {
  const { quiet, isDumbTerminal } = options.config;
  if (quiet) return { update() {}, pause() {}, note() {}, end() {} };
  if (options.json) return createJsonProgress(process.stdout);
  return isDumbTerminal ? progressLines(process.stderr) : createProgress(process.stderr, options.maxPages);
}

/** The progress of a crawl: a bar on a terminal, elsewhere a line every two seconds. */
export function createProgress(stream: NodeJS.WriteStream | WriteStream, maxPages: number): ProgressView {
  return stream.isTTY ? progressBar(stream, maxPages) : progressLines(stream);
}

/** The same for machines: lines of JSON on `stream`, and nothing else. */
function createJsonProgress(stream: NodeJS.WritableStream): ProgressView {
  const lines = createJsonLines(stream);
  const perSecond = createRate();
  return {
    update: (progress) => lines.progress({ ...progress, pagesPerSecond: perSecond() }),
    pause: (pause) => lines.write({ kind: 'pause', ...pause }),
    note: (text) => lines.write({ kind: 'note', text }),
    end() {},
  };
}

function progressBar(stream: NodeJS.WriteStream, maxPages: number): ProgressView {
  const bar = new SingleBar(
    { stream, clearOnComplete: true, hideCursor: true, format: '{bar} {value}/{total} pages  {rest}' },
    Presets.shades_classic,
  );
  const perSecond = createRate();
  let isShown = false;
  const end = (): void => {
    if (isShown) bar.stop();
    isShown = false;
  };
  const note = (line: string): void => {
    end();
    stream.write(`${line}\n`);
  };
  return {
    update(progress) {
      const { stored, unchanged, queued, hosts, failed, url, secondsLeft } = progress;
      const done = stored + unchanged;
      // A small site ends long before the limit, so the bar shows the known part of the site.
      const total = Math.max(done, Math.min(maxPages, done + queued));
      if (!isShown) bar.start(total, 0, { rest: '' });
      isShown = true;
      bar.setTotal(Math.max(1, total));
      const counts = `${perSecond()}/s, ${queued} queued, ${hosts} ${hosts === 1 ? 'host' : 'hosts'}, ${failed} failed${timeLeft(secondsLeft)}`;
      bar.update(done, { rest: `${counts}  ${path(url)}` });
    },
    pause: (pause) => note(describePause(pause, Date.now())),
    note,
    end,
  };
}

function progressLines(stream: NodeJS.WritableStream): ProgressView {
  const sometimes = createLineProgress(stream);
  const perSecond = createRate();
  const note = (line: string): void => void stream.write(`${line}\n`);
  return {
    update({ stored, unchanged, refusedByRobots, failed, queued, hosts, url, secondsLeft }) {
      const counts = `${stored} stored, ${unchanged} unchanged, ${refusedByRobots} refused by robots.txt, ${failed} failed`;
      sometimes(
        `${counts}, ${queued} queued on ${hosts} ${hosts === 1 ? 'host' : 'hosts'}, ${perSecond()}/s${timeLeft(secondsLeft)}: ${url}`,
      );
    },
    pause: (pause) => note(describePause(pause, Date.now())),
    note,
    end() {},
  };
}

/** For the queue; pages found later add to it. */
function timeLeft(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return '';
  if (seconds < 60) return `, about ${Math.ceil(seconds)} s left`;
  if (seconds < 5400) return `, about ${Math.round(seconds / 60)} min left`;
  return `, about ${Math.round(seconds / 3600)} h left`;
}

/** Pages over which the rate is measured. */
const rateWindowPages = 100;

/** Calls per second over the last calls, including this one; 0 for the first. */
export function createRate(now: () => number = () => performance.now()): () => number {
  const times: number[] = [];
  return () => {
    times.push(now());
    if (times.length > rateWindowPages) times.shift();
    const seconds = ((times.at(-1) as number) - (times[0] as number)) / 1000;
    return seconds > 0 ? Number(((times.length - 1) / seconds).toPrecision(2)) : 0;
  };
}

function path(url: string): string {
  const { pathname } = new URL(url);
  return pathname.length > 30 ? `…${pathname.slice(-29)}` : pathname;
}
