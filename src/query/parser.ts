import { guessLanguage } from '../text/language/function-words.ts';
import { queryWords } from '../text/terms.ts';
import { fileTypesOf } from './file-types.ts';
import { type BareToken, relaxFunctionWords } from './function-words.ts';
import { dropLooseBrackets } from './groups.ts';
import { type Lexeme, lex } from './lexer.ts';
import { maxQueryWords } from './max-query-words.ts';
import { compatible, normalizeText } from './normalize.ts';
import type { Query, WordsQuery } from './query.ts';
import { parseSites } from './site.ts';

/** Maximum words between spaces that are parsed; of these the engine keeps the most informative ones. */
const maxReadWords = 512;
/** Maximum terms of a phrase; a Chinese phrase has one per character. */
const maxPhraseTerms = 512;

type Leaf = Extract<Lexeme, { kind: 'leaf' }>;

/** An operand of OR, with its sign separate. */
interface Operand {
  readonly query: Query;
  readonly negated: boolean;
}

function all(parts: readonly Query[]): Query {
  const of = parts.flatMap((part) => (part.kind === 'all' ? part.of : [part]));
  return of.length === 1 && of[0] ? of[0] : { kind: 'all', of };
}

function any(parts: readonly Query[]): Query {
  const of = parts.flatMap((part) => (part.kind === 'any' ? part.of : [part]));
  return of.length === 1 && of[0] ? of[0] : { kind: 'any', of };
}

/** The combined effect of the signs before a word and before the groups around it. */
interface Signs {
  /** Inside an exclusion: no stemming, which would exclude more pages than requested. */
  readonly exact: boolean;
  readonly insisted: boolean;
}

/** A double negation cancels out. */
function operand(query: Query, negated: boolean): Operand {
  return query.kind === 'not' ? { query: query.of, negated: !negated } : { query, negated };
}

export interface ParseOptions {
  /** Primary subtag of the language of the wanted pages; guessed from the words by default. */
  readonly lang?: string;
}

function bareWord(lexeme: Lexeme): string[] {
  return lexeme.kind === 'leaf' && lexeme.operator === undefined ? [normalizeText(lexeme.text)] : [];
}

/**
 * Parses a query by the ten rules of the query language. Never throws, and takes time linear in the length. Everything
 * that is no syntax is text, and parts without words are dropped.
 */
export function parseQuery(q: string, options: ParseOptions = {}): Query {
  const lexemes = dropLooseBrackets(lex(q));
  const wordsLang = guessLanguage(lexemes.flatMap(bareWord).slice(0, maxReadWords), options.lang);
  const lang = options.lang ?? wordsLang;
  const exclusions: Query[] = [];
  const bareTokens: BareToken[] = [];
  let index = 0;
  let remainingWords = maxReadWords;

  /** The words of a text that the limit still allows. */
  function withinLimit(text: string, max = maxReadWords): string {
    const words = compatible(text)
      .split(/\s+/)
      .filter((word) => word !== '');
    const allowed = words.slice(0, Math.min(remainingWords, max));
    remainingWords -= allowed.length;
    return allowed.join(' ');
  }

  function wordsQuery(text: string, quoted: boolean, signs: Signs): WordsQuery | undefined {
    const typed = withinLimit(text, quoted ? maxQueryWords : maxReadWords);
    const words = queryWords(typed, { quoted: quoted || signs.exact, lang }).slice(0, maxPhraseTerms);
    if (words.length === 0) return undefined;
    const insisted = signs.insisted && { insisted: true as const };
    return { kind: 'words', text: normalizeText(typed), words, quoted, typed, ...insisted };
  }

  function titleQuery(text: string, quoted: boolean, exact: boolean): Query | undefined {
    const typed = withinLimit(text, maxQueryWords);
    const words = queryWords(typed, { quoted: quoted || exact, lang })
      .slice(0, maxPhraseTerms)
      .filter(({ required }) => required)
      .map((word) => ({ ...word, stem: null }));
    return words.length > 0 ? { kind: 'title', text: normalizeText(typed), words } : undefined;
  }

  function leafQuery({ sign, operator, text, quoted }: Leaf, signs: Signs): Query | undefined {
    if (operator === undefined) {
      const query = wordsQuery(text, quoted, signs);
      if (query && sign === '' && !quoted) bareTokens.push({ typed: text, query });
      return query;
    }
    if (quoted && text.trim() === '') return undefined;
    if (operator === 'filetype') return { kind: 'filetype', types: fileTypesOf(text) };
    const query = operator === 'site' ? parseSites(text) : titleQuery(text, quoted, signs.exact);
    return query ?? wordsQuery(`${operator}:${text}`, false, signs);
  }

  /** Parses up to the end of the group: a conjunction of disjunctions. */
  function sequence(signs: Signs): Query {
    const parts: Query[] = [];
    let operands: Operand[] = [];
    let joins = false;

    function endOperands(): void {
      const positive = operands.filter(({ negated }) => !negated).map((each) => each.query);
      const negative = operands.filter(({ negated }) => negated).map((each) => each.query);
      if (positive.length > 0) parts.push(any(positive));
      const target = operands.length > 1 ? exclusions : parts;
      for (const of of negative) target.push({ kind: 'not', of });
      operands = [];
      joins = false;
    }

    for (; index < lexemes.length; index++) {
      const lexeme = lexemes[index] as Lexeme;
      if (lexeme.kind === 'close') break;
      if (lexeme.kind === 'or') {
        joins = operands.length > 0;
        continue;
      }
      if (!joins) endOperands();
      joins = false;
      if (lexeme.kind === 'and') continue;
      const negated = lexeme.sign === '-';
      const own = {
        exact: signs.exact || negated,
        insisted: signs.insisted || lexeme.sign === '+',
      };
      let query: Query | undefined;
      if (lexeme.kind === 'open') {
        index++;
        query = sequence(own);
      } else query = leafQuery(lexeme, own);
      if (query && !isEmpty(query)) operands.push(operand(query, negated));
    }
    endOperands();
    return all(parts);
  }

  const query = relaxFunctionWords(
    all([sequence({ exact: false, insisted: false }), ...exclusions]),
    bareTokens,
    wordsLang,
  );
  return query.kind === 'not' ? { kind: 'all', of: [query] } : query;
}

/** Whether a query has nothing to search for (blank, `""`, `OR`): the only kind of query that the engine refuses. */
export function isEmpty(query: Query): boolean {
  return query.kind === 'all' && query.of.length === 0;
}
