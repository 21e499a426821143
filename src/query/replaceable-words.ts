import { locateTerms, queryWords } from '../text/terms.ts';
import { dropLooseBrackets } from './groups.ts';
import { lex } from './lexer.ts';
import { replaceLookAlikes } from './normalize.ts';

/** A required word without operator, quotes or minus. */
export interface ReplaceableWord {
  /** Its index term. */
  readonly term: string;
  /** UTF-16 offsets into `ReplaceableWords.source`. */
  readonly start: number;
  readonly end: number;
}

export interface ReplaceableWords {
  /** The query after `replaceLookAlikes`, with the same meaning. */
  readonly source: string;
  /** In reading order; a compound (`asyncio.TaskGroup`) is given by its required parts. */
  readonly words: readonly ReplaceableWord[];
}

/** The words of a query that may be replaced, as by a spelling suggestion, without touching operators and phrases. */
export function replaceableWords(q: string, lang: string): ReplaceableWords {
  const words: ReplaceableWord[] = [];
  let depth = 0;
  /** Depth of the outermost excluded group; 0 outside of any. */
  let excludedFrom = 0;
  for (const lexeme of dropLooseBrackets(lex(q))) {
    if (lexeme.kind === 'open') {
      depth++;
      if (lexeme.sign === '-' && excludedFrom === 0) excludedFrom = depth;
    } else if (lexeme.kind === 'close') {
      if (depth === excludedFrom) excludedFrom = 0;
      depth--;
    } else if (lexeme.kind === 'leaf') {
      const { sign, operator, text, start, quoted } = lexeme;
      if (sign === '-' || operator !== undefined || quoted || excludedFrom > 0) continue;
      for (const word of requiredWords(text, lang))
        words.push({ ...word, start: start + word.start, end: start + word.end });
    }
  }
  return { source: replaceLookAlikes(q), words };
}

function requiredWords(text: string, lang: string): ReplaceableWord[] {
  const required = new Set<string>();
  for (const word of queryWords(text, { quoted: false, lang })) if (word.required) required.add(word.term);
  return locateTerms(text).filter(({ term }) => required.has(term));
}

/** The query with the replaceable words of these terms replaced. */
export function replaceWords(
  { source, words }: ReplaceableWords,
  replacements: ReadonlyMap<string, string>,
): string {
  let replaced = '';
  let from = 0;
  for (const { term, start, end } of words) {
    const replacement = replacements.get(term);
    if (replacement === undefined || start < from) continue;
    replaced += source.slice(from, start) + replacement;
    from = end;
  }
  return replaced + source.slice(from);
}
