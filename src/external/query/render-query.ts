import type { FileTypeQuery, Query, SiteQuery } from '../../query/query.ts';
import type { ProviderSupport } from '../search-provider.ts';

/** A provider's query syntax. What it cannot express is left out, and checked on the results. */
export interface QuerySyntax {
  readonly phrase?: (text: string) => string;
  readonly exclude?: (operand: string) => string;
  readonly or?: (operands: readonly string[]) => string;
  readonly title?: (word: string) => string;
  readonly site?: (site: SiteQuery) => string;
  readonly filetype?: (query: FileTypeQuery) => string;
  /** Groups several words as one operand. */
  readonly group?: (text: string) => string;
  /** Rendering of alternatives without `or`: all their words for a semantic search, the first one for a word search. */
  readonly alternatives: 'words' | 'first';
  readonly maxLength: number;
  /** Maximum pieces between spaces. */
  readonly maxWords?: number;
}

/** The operators that a syntax can express. */
export function operatorsOf(syntax: QuerySyntax): ProviderSupport['operators'] {
  return {
    phrase: syntax.phrase !== undefined,
    exclude: syntax.exclude !== undefined,
    or: syntax.or !== undefined,
    intitle: syntax.title !== undefined,
    filetype: syntax.filetype !== undefined,
  };
}

/** A rendered part, and whether it is more than one operand. */
interface RenderedPart {
  readonly text: string;
  readonly isSeveral: boolean;
}

/**
 * Renders a query in a provider's syntax; plain text never becomes syntax. Empty when no search word is left. Parts that
 * exceed the length are left out, exclusions first.
 */
export function renderQuery(query: Query, syntax: QuerySyntax): string {
  const parts = query.kind === 'all' ? query.of : [query];
  const wanted = writeAll(
    parts.filter(({ kind }) => kind !== 'not'),
    syntax,
  );
  if (wanted.length === 0) return '';
  const unwanted = writeAll(
    parts.filter(({ kind }) => kind === 'not'),
    syntax,
  );
  const pieces = [...wanted, ...unwanted];
  const selected = new Set<Piece>();
  const textOf = (chosen: ReadonlySet<Piece>): string =>
    pieces.flatMap((piece) => (chosen.has(piece) ? [piece.text] : [])).join(' ');
  for (const piece of [...wanted.toSorted((a, b) => a.rank - b.rank), ...unwanted]) {
    selected.add(piece);
    if (!fits(textOf(selected), syntax)) selected.delete(piece);
  }
  return textOf(selected);
}

/** A rendered part with its priority; 0 is the highest. */
interface Piece {
  readonly text: string;
  readonly rank: number;
}

function writeAll(parts: readonly Query[], syntax: QuerySyntax): Piece[] {
  return parts.flatMap((part) => {
    const text = write(part, syntax)?.text;
    return text === undefined ? [] : [{ text, rank: rankOf(part) }];
  });
}

function rankOf(part: Query): number {
  if (part.kind !== 'words') return 0;
  // In a long query, a token without a rank is a function word.
  return part.rarityRank ?? (part.words.some((word) => word.required) ? 0 : Number.MAX_SAFE_INTEGER);
}

function fits(text: string, { maxLength, maxWords = Number.POSITIVE_INFINITY }: QuerySyntax): boolean {
  return [...text].length <= maxLength && text.split(' ').length <= maxWords;
}

function write(query: Query, syntax: QuerySyntax): RenderedPart | undefined {
  switch (query.kind) {
    case 'words':
      if (query.quoted && syntax.phrase) return one(syntax.phrase(withoutQuotes(query.text)));
      return several(bareWords(query.text, syntax));
    case 'title': {
      const { title } = syntax;
      const words = bareWords(query.text, { ...syntax, phrase: undefined });
      return several(title ? words.map(title) : words);
    }
    case 'site':
      return syntax.site && one(syntax.site(query));
    case 'filetype':
      return query.types.length > 0 && syntax.filetype ? one(syntax.filetype(query)) : undefined;
    case 'all':
      return several(query.of.flatMap((part) => write(part, syntax)?.text ?? []));
    case 'any':
      return alternatives(query.of, syntax);
    case 'not':
      return exclusion(query.of, syntax);
  }
}

function alternatives(parts: readonly Query[], syntax: QuerySyntax): RenderedPart | undefined {
  const written = parts.flatMap((part) => write(part, syntax) ?? []);
  const first = written[0];
  // If one alternative cannot be rendered, the others alone would exclude pages that match it.
  if (!first || (written.length < parts.length && syntax.alternatives === 'first')) return undefined;
  const operands = written.map((part) => operand(part, syntax));
  if (syntax.or && written.length === parts.length && operands.every((text) => text !== undefined)) {
    const text = syntax.or(operands as string[]);
    return one(syntax.group ? syntax.group(text) : text);
  }
  return syntax.alternatives === 'first' ? first : several(written.map(({ text }) => text));
}

function exclusion(query: Query, syntax: QuerySyntax): RenderedPart | undefined {
  if (!syntax.exclude) return undefined;
  // -(a OR b) equals -a -b, which needs no brackets.
  if (query.kind === 'any') {
    return several(query.of.flatMap((part) => exclusion(part, syntax)?.text ?? []));
  }
  const written = write(query, syntax);
  const text = written && operand(written, syntax);
  return text === undefined ? undefined : one(syntax.exclude(text));
}

/** A part as one operand; undefined when it is several and the syntax cannot group them. */
function operand({ text, isSeveral }: RenderedPart, { group }: QuerySyntax): string | undefined {
  return isSeveral ? group?.(text) : text;
}

function one(text: string): RenderedPart | undefined {
  return text.trim() === '' ? undefined : { text, isSeveral: false };
}

function several(texts: readonly string[]): RenderedPart | undefined {
  return texts.length === 0 ? undefined : { text: texts.join(' '), isSeveral: texts.length > 1 };
}

/** Starts with a letter or digit and contains no character that any search engine treats as syntax. */
const plainWord = /^[\p{L}\p{N}\p{M}_.#@$][^\s"“”()|:*~^\\[\]{}<>!?]*$/u;

/** The words of a text, each quoted or stripped so that no provider reads it as syntax. */
function bareWords(text: string, { phrase }: { phrase?: QuerySyntax['phrase'] | undefined }): string[] {
  return text.split(/\s+/).flatMap((piece) => {
    const word = piece.replace(/[?!,;]+$/, '');
    if (plainWord.test(word)) return word;
    const stripped = word
      .replace(/["“”()|:*~^\\[\]{}<>!?]+/gu, ' ')
      .trim()
      .replace(/^[-+−–－]+/, '');
    if (stripped === '') return [];
    if (phrase && stripped.includes(' ')) return phrase(stripped);
    return stripped
      .split(/\s+/)
      .map((part) => part.replace(/^[-+]+/, ''))
      .filter((part) => part !== '');
  });
}

function withoutQuotes(text: string): string {
  return text.replace(/["“”]/g, ' ').trim();
}

/** `"a b"`, the phrase syntax of nearly every engine. */
export function inQuotes(text: string): string {
  return text === '' ? '' : `"${text}"`;
}

/** The usual syntax of operators. */
export const usualOperators = {
  phrase: inQuotes,
  exclude: (excluded: string) => `-${excluded}`,
  or: (operands: readonly string[]) => operands.join(' OR '),
  title: (word: string) => `intitle:${word}`,
  site: ({ host, path }: SiteQuery) => `site:${host}${path}`,
  // The first type names the family: doc includes docx and odt.
  filetype: ({ types }: FileTypeQuery) => `filetype:${types[0]}`,
  alternatives: 'first',
} as const satisfies Omit<QuerySyntax, 'maxLength'>;
