/** One term that a page is asked to hold. */
export interface Word {
  /** The exact form, as `indexTerms` gives it. */
  readonly term: string;
  /** The stem's index term, by which other forms of the word match too; null where only the exact form may. */
  readonly stem: string | null;
  /** A word that is not required only raises the score (function words of a question). */
  readonly required: boolean;
}

/** A term with its place: UTF-16 offsets into the text that was given. */
export interface Token {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

const run = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}\p{M}]+/gu;
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Exact terms with their place, in reading order; the same terms as `indexTerms`. */
export function locateTerms(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: word, index } of text.matchAll(run)) {
    if (!cjk.test(word)) {
      tokens.push({ term: word.toLowerCase(), start: index, end: index + word.length });
      continue;
    }
    let at = index;
    let before: Token | undefined;
    for (const term of word) {
      const token = { term, start: at, end: at + term.length };
      if (before) tokens.push({ term: before.term + term, start: before.start, end: token.end });
      tokens.push(token);
      before = token;
      at = token.end;
    }
  }
  return tokens;
}

/** Every index term of a text, with repeats: exact words, parts of identifiers, CJK bigrams and single characters. */
export function indexTerms(text: string): string[] {
  return locateTerms(text.normalize('NFKC')).map(({ term }) => term);
}

/** The words of one bare token, or of all between two quotes, each with the term that must match. */
export function queryWords(text: string, _options: { quoted: boolean }): Word[] {
  const terms = indexTerms(text);
  const chained = terms.filter((term) => terms.length === 1 || !cjk.test(term) || [...term].length === 2);
  return [...new Set(chained)].map((term) => ({ term, stem: null, required: true }));
}
