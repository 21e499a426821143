import { oneLine } from '../../text/line/one-line.ts';

export interface FrontMatter {
  /** Values of one line, by their keys in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** The document below it; all of it where there is no front matter. */
  readonly rest: string;
}

const fence = '---\n';

/** Reads the plain `key: value` lines of YAML front matter. Nested values and lists are passed over. */
export function readFrontMatter(source: string): FrontMatter {
  const fields = new Map<string, string>();
  const end = source.startsWith(fence) ? source.indexOf('\n---', fence.length - 1) : -1;
  if (end < 0) return { fields, rest: source };
  for (const line of source.slice(fence.length, end).split('\n')) {
    const match = /^([\w-]{1,40}):[ \t]*(\S.*)$/.exec(line);
    const value = oneLine(match?.[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
    if (match?.[1] !== undefined && value !== '') fields.set(match[1].toLowerCase(), value);
  }
  return { fields, rest: source.slice(source.indexOf('\n', end + 1) + 1 || source.length) };
}
