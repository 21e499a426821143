import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../../../shared/data/documents/', import.meta.url);

export const setNames = ['tika-all', 'docling', 'markitdown'] as const;
export type SetName = (typeof setNames)[number];

export interface DocumentCase {
  readonly file: string;
  readonly bytes: Uint8Array;
  /** Must stand in what is read, when white space, marks and case are set aside. */
  readonly contains: readonly string[];
  readonly absent: readonly string[];
}

interface Truth {
  readonly file: string;
  readonly markdown?: string;
  readonly contains?: readonly string[];
  readonly absent?: readonly string[];
}

/** The documents of a set of ../shared/data/documents, pages left out; `tika-all` comes without expected strings. */
export function casesOf(set: SetName): DocumentCase[] {
  const at = new URL(`${set}/`, folder);
  if (set === 'tika-all') {
    return readdirSync(at)
      .sort()
      .map((file) => ({ file, bytes: readFileSync(new URL(file, at)), contains: [], absent: [] }));
  }
  const byFile = new Map<string, DocumentCase>();
  for (const line of readFileSync(new URL('truth.jsonl', at), 'utf8').split('\n')) {
    if (line === '') continue;
    const { file, markdown, contains = [], absent = [] } = JSON.parse(line) as Truth;
    if (file.endsWith('.html')) continue;
    const known = byFile.get(file);
    byFile.set(file, {
      file,
      bytes: known?.bytes ?? readFileSync(new URL(file, at)),
      contains: [
        ...(known?.contains ?? []),
        ...contains,
        ...(markdown === undefined ? [] : stringsOf(markdown)),
      ],
      absent: [...(known?.absent ?? []), ...absent],
    });
  }
  return [...byFile.values()];
}

/** What Markdown says, a string for each line and each cell, without its marks. */
export function stringsOf(markdown: string): string[] {
  const plain = markdown
    .replace(/<!--[\s\S]*?-->/g, '\n')
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\\([_*#|`~[\]])/g, '$1')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  const found: string[] = [];
  for (const line of plain.split('\n')) {
    if (/^\s*(?:```|\|[\s|:-]*\|?\s*$)/.test(line)) continue;
    const bare = line.replace(/^\s*(?:#{1,6}\s+|(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?)+/, '');
    for (const cell of line.trim().startsWith('|') ? bare.split('|') : [bare]) {
      const text = cell.replace(/\*\*|__|~~|`/g, '').trim();
      if (fold(text) !== '') found.push(text);
    }
  }
  return found;
}

/** Letters and digits alone: how a text is spaced and marked is not judged. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
