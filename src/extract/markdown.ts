import { stripInvisible } from '../text/line/invisible.ts';
import { oneLine } from './clean-text.ts';
import type { Link, Reading } from './extracted.ts';
import { absoluteUrl } from './links.ts';
import { parseDate } from './metadata/dates.ts';
import { fileName } from './plain-text.ts';

const inlineLink =
  /!?\[([^[\]]{0,1000})\]\(\s{0,3}<?([^\s()<>]{0,2000})>?(?:\s{1,3}"[^"]{0,300}")?\s{0,3}\)/g;
const autoLink = /<(https?:\/\/[^\s<>]{1,2000})>/g;
const referenceLink = /\[([^[\]]{1,1000})\]\[[^[\]]{0,200}\]/g;
const definition = /^ {0,3}\[([^\]]{1,200})\]:\s{0,5}<?([^\s>]{1,2000})>?/;

/**
 * Reads Markdown line by line (CommonMark's blocks as far as search needs them): headings, lists, tables and quotes lose
 * their signs, code stays as it stands, links leave their text in the body and their target among the links.
 */
export function readMarkdown(source: string, page: { url: string; now: number }): Reading {
  const { fields, rest } = frontMatter(stripInvisible(source.replace(/\r\n?/g, '\n')));
  const links = new Map<string, Link>();
  const headings: string[] = [];
  const out: string[] = [];
  let fence: string | null = null;
  /** Which heading is the title: the first that is more than badges. */
  let title: number | undefined;

  const addLink = (reference: string) => {
    const url = absoluteUrl(reference, page.url);
    if (url !== null && !reference.startsWith('#')) links.set(url, { url, nofollow: false });
  };
  const inline = (line: string) =>
    line
      .replace(inlineLink, (_, text: string, target: string) => {
        addLink(target);
        return text;
      })
      .replace(autoLink, (_, target: string) => {
        addLink(target);
        return target;
      })
      .replace(referenceLink, '$1')
      .replace(/<\/?[a-z][^<>]{0,500}>|<!--[^<>]{0,500}-->/gi, '')
      .replace(/(\*\*|__|~~)(?=\S)([^*_~]{1,500})\1/g, '$2')
      .replace(/(?<![\w*])([*_])(?=\S)([^*_]{1,500})\1(?![\w*])/g, '$2')
      .replace(/`([^`]{1,500})`/g, '$1');
  const addHeading = (text: string) => {
    const heading = oneLine(inline(text));
    if (heading === '') return;
    keepHeading(heading, withoutImages(text).trim() !== '');
    out.push(heading);
  };
  const keepHeading = (heading: string, isText = true) => {
    if (isText) title ??= headings.length;
    headings.push(heading);
  };

  for (const line of rest.split('\n')) {
    const opening = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (opening?.startsWith(fence) && line.trim() === opening) fence = null;
      else out.push(line.trimEnd());
      continue;
    }
    if (opening !== undefined) {
      fence = opening;
      continue;
    }
    const target = definition.exec(line)?.[2];
    if (target !== undefined) {
      addLink(target);
      continue;
    }
    const atx = /^ {0,3}#{1,6}[ \t](.*)$/.exec(line)?.[1];
    if (atx !== undefined) addHeading(atx.trim().replace(/(?:^|\s)#+$/, ''));
    else if (/^ {0,3}=+\s*$/.test(line) && (out.at(-1) ?? '') !== '') keepHeading(oneLine(out.at(-1) ?? ''));
    else if (/^ {0,3}-{2,}\s*$/.test(line) && (out.at(-1) ?? '') !== '')
      keepHeading(oneLine(out.at(-1) ?? ''));
    else if (/^ {0,3}(?:[-*_][ \t]*){3,}$/.test(line) || isTableRule(line)) continue;
    else out.push(inline(block(line)));
  }
  return {
    title: fields.get('title') ?? headings[title ?? 0] ?? fileName(page.url),
    description: fields.get('description') ?? fields.get('summary') ?? '',
    headings: (fields.has('title') ? headings : headings.toSpliced(title ?? 0, 1)).join('\n'),
    body: out
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    author: fields.get('author') ?? null,
    publishedAt: published(fields.get('date') ?? fields.get('published'), page.now),
    siteName: null,
    fileType: 'markdown',
    canonical: null,
    links: [...links.values()],
    robots: { noindex: false, nofollow: false },
    declaredLang: fields.get('lang') ?? null,
  };
}

/** A heading without its images, be they links: what is left of a row of badges is nothing. */
function withoutImages(text: string): string {
  return text
    .replace(/!\[[^[\]]{0,1000}\]\([^()]{0,2000}\)/g, '')
    .replace(/!\[[^[\]]{0,1000}\]\[[^[\]]{0,200}\]/g, '')
    .replace(/\[\s*\](?:\([^()]{0,2000}\)|\[[^[\]]{0,200}\])/g, '');
}

function isTableRule(line: string): boolean {
  return line.includes('|') && line.includes('-') && /^[\s:|-]+$/.test(line);
}

/** A line without its block signs: quote marks go, any bullet becomes a dash, table cells are parted by tabs. */
function block(line: string): string {
  const unquoted = line.replace(/^(?: {0,3}>[ \t]?){1,10}/, '').trimEnd();
  const bullet = unquoted.replace(/^([ \t]*)[*+-][ \t]+(?:\[[ xX]\][ \t]+)?/, '$1- ');
  if (!/^\s*\|/.test(bullet)) return bullet;
  return bullet
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
    .join('\t');
}

/** The plain `key: value` lines of YAML front matter. */
function frontMatter(source: string): { fields: ReadonlyMap<string, string>; rest: string } {
  const fields = new Map<string, string>();
  const end = source.startsWith('---\n') ? source.indexOf('\n---', 3) : -1;
  if (end < 0) return { fields, rest: source };
  for (const line of source.slice(4, end).split('\n')) {
    const match = /^([\w-]{1,40}):[ \t]*(\S.*)$/.exec(line);
    const value = oneLine(match?.[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
    if (match?.[1] !== undefined && value !== '') fields.set(match[1].toLowerCase(), value);
  }
  return { fields, rest: source.slice(source.indexOf('\n', end + 1) + 1 || source.length) };
}

function published(text: string | undefined, now: number): number | null {
  const date = text === undefined ? undefined : parseDate(text);
  return date === undefined || date > now ? null : date;
}
