import type { Inspection } from './inspect-folder.ts';
import type { Ended, Looked } from './processes.ts';

/** What died or hung in a storm. Each is said on stderr at once; the table's note has the first ones. */
export interface Deaths {
  /** `what` names the request or command, `how` its end. */
  add(what: string, how: string): void;
  /** Adds a process that ended without words; see `deathOf`. */
  check(what: string, ended: Ended): void;
  /** The inspection of a folder that can be read. Adds one that was refused, or that ended its reader. */
  inspected(found: Looked): Inspection | undefined;
  count(): number;
  /** For the end of a sentence; empty when nothing died. */
  note(): string;
}

const maxNoted = 3;

export function createDeaths(storm: string): Deaths {
  const found: string[] = [];
  const add = (what: string, how: string): void => {
    found.push(`${what}: ${how}`);
    console.error(`${storm}: ${what}: ${how}`);
  };
  return {
    add,
    check: (what, ended) => {
      const how = deathOf(ended);
      if (how !== undefined) add(what, how);
    },
    inspected: (looked) => {
      if ('died' in looked) add('the reading of all pages', howOf(looked.died));
      else if ('refused' in looked) add('the reading of all pages', `refused: ${looked.refused}`);
      else return looked;
      return undefined;
    },
    count: () => found.length,
    note: () => (found.length === 0 ? '' : `. Died: ${found.slice(0, maxNoted).map(inCell).join('; ')}`),
  };
}

/**
 * How a process died without words: by a signal, hung, or with a stack trace. Undefined for one that ended by itself,
 * and for one whose last word was its error before it killed itself, which Node needs where a thread waits for a lock.
 */
export function deathOf(ended: Ended): string | undefined {
  const { code, signal, stderr, isHung } = ended;
  const saidError = signal === 'SIGKILL' && /^gleaner: /.test(stderr.trimEnd().split('\n').at(-1) ?? '');
  return isHung || stackLine.test(stderr) || (code === null && !saidError) ? howOf(ended) : undefined;
}

const stackLine = /^\s+at .*:\d+:\d+\)?$/m;

function howOf({ code, signal, tookMs, stderr, isHung }: Ended): string {
  const end = isHung ? 'hung' : `ended with ${code ?? signal}`;
  const lines = stderr.trimEnd().split('\n');
  // Of a stack trace its error and where it was thrown, else what was said last.
  const frame = lines.findIndex((line) => stackLine.test(line));
  const words = (frame < 0 ? lines.slice(-3) : lines.slice(Math.max(0, frame - 2), frame + 4))
    .join(' / ')
    .slice(-900);
  return `${end} after ${(tookMs / 1000).toFixed(1)} s, stderr "${words}"`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('`', "'").replaceAll('\n', ' / ');
}
