import { emptyIndexNotice, listWords } from '../../tools/answers/partial-notice.ts';
import { openApp } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { createParameterReader } from '../contract/parameters.ts';
import { SearchParams, type SearchResponse, type SearchResult } from '../contract/search.ts';
import type { Explanation, SearchAnswer } from '../engine/engine.ts';
import { fewResults } from '../engine/suggestion/few-results.ts';
import { withCommandName } from './arguments/command-name.ts';
import { requireData } from './data-folder.ts';
import { createMarkWords, type MarkWords } from './output/mark-words.ts';
import { printableJson, printableLine, printableText } from './output/printable.ts';
import { createSearchNotes } from './output/search-notes.ts';
import { createStyle, type Style } from './output/style.ts';

export interface SearchFlags {
  readonly limit?: string;
  readonly offset?: string;
  readonly lang?: string;
  readonly langPriority?: string;
  readonly site?: string;
  readonly timeRange?: string;
  readonly json?: true;
  readonly explain?: true;
}

const partialHeading = 'Pages that lack some of the words';

/** `gleaner search`: one search, printed as text or, with `--json`, as in the HTTP API. */
export async function searchCommand(
  words: readonly string[],
  flags: SearchFlags,
  config: Config,
): Promise<void> {
  const { limit, offset, lang, site, langPriority, timeRange } = flags;
  const unknown = words.find((word) => word.startsWith('--'));
  if (unknown)
    throw new ServiceError('invalid_parameters', `unknown option ${unknown}: see "gleaner search --help"`);
  const input = {
    q: words.join(' '),
    limit,
    offset,
    lang,
    site,
    lang_priority: langPriority,
    time_range: timeRange,
  };
  const params = createParameterReader(SearchParams)(input);
  requireData(config);
  const notes = createSearchNotes(config);
  const app = openApp({ config, log: notes.log, watchers: { onAsked: notes.onAsked } });
  try {
    await app.prepare();
    if (flags.explain) {
      process.stdout.write(printableText(explained(await app.engine.explain(params))));
      return;
    }
    const { external, partial, ...answer } = await app.engine.search(params, { partial: true });
    const meant = answer.total < fewResults ? await app.engine.didYouMean(params) : undefined;
    if (flags.json) {
      const more = {
        ...(partial && { partial_matches: partial.matches }),
        ...(meant !== undefined && { did_you_mean: meant }),
      };
      process.stdout.write(`${printableJson({ ...answer, ...more }, 2)}\n`);
      return;
    }
    const style = createStyle(config.color, process.stdout);
    const markWords: MarkWords = style.isOn ? createMarkWords(params.q, lang, style.mark) : (text) => text;
    process.stdout.write(asText(answer, params.offset, style, markWords));
    if (meant !== undefined) process.stdout.write(`Did you mean: ${printableLine(meant)}\n`);
    if (partial) process.stdout.write(partialText(partial, style, markWords));
    if (answer.total === 0 && app.engine.status().pages === 0)
      process.stdout.write(`${withCommandName(emptyIndexNotice)}\n`);
    notes.external(external, answer.total);
  } finally {
    await app.close();
  }
}

function asText(
  { total, took_ms, results }: SearchResponse,
  offset: number,
  style: Style,
  markWords: MarkWords,
): string {
  if (total === 0) return 'No page matches.\n';
  const entries = results.map((result, index) =>
    entryText(result, `${offset + index + 1}. `, style, markWords),
  );
  return `${total} ${total === 1 ? 'page matches' : 'pages match'} (${took_ms} ms)\n\n${entries.join('\n')}`;
}

function entryText(
  { title, url, snippet, lang, crawled_at, source }: SearchResult,
  mark: string,
  style: Style,
  markWords: MarkWords,
): string {
  const where = source === 'local' ? `crawled ${crawled_at.slice(0, 10)}` : 'from the web';
  const name = style.bold(markWords(printableLine(title || url), lang));
  const about = style.dim(`${printableLine(lang)}, ${where}`);
  const excerpt = markWords(printableLine(snippet), lang);
  return `${mark}${name}\n   ${style.dim(printableLine(url))}\n   ${about}\n   ${excerpt}\n`;
}

/** The pages that lack some words, under their own heading and without numbers, since they are no matches. */
function partialText(
  { matches, unknownWords }: NonNullable<SearchAnswer['partial']>,
  style: Style,
  markWords: MarkWords,
): string {
  const unknown = unknownWords.length > 0 ? `No page has ${printableLine(listWords(unknownWords))}.\n` : '';
  if (matches.length === 0) return unknown;
  const entries = matches.map(
    (match) =>
      `${entryText(match, ' - ', style, markWords)}   ${style.dim(`without: ${printableLine(match.missing_words.join(', '))}`)}\n`,
  );
  return `\n${style.bold(partialHeading)}\n${unknown}\n${entries.join('\n')}`;
}

/** Each result with its score, the share of each term, and the factor of each rule. */
function explained(explanations: readonly Explanation[]): string {
  const numbers = (parts: Readonly<Record<string, number>>) =>
    Object.entries(parts)
      .filter(([, value]) => value !== 1)
      .map(([name, value]) => `${name} ${value.toFixed(3)}`)
      .join(', ');
  return explanations
    .map(({ url, score, terms, factors, missingWords }, index) => {
      const isFirstPartial =
        missingWords !== undefined && explanations[index - 1]?.missingWords === undefined;
      const heading = isFirstPartial ? `${index > 0 ? '\n' : ''}${partialHeading}\n` : '';
      const without = missingWords ? `  without: ${missingWords.join(', ')}\n` : '';
      return `${heading}${score.toFixed(3)}  ${url}\n  terms: ${numbers(terms)}\n  rules: ${numbers(factors)}\n${without}`;
    })
    .join('');
}
