import type { SearchParams } from '../../src/contract/search.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { queryNotices } from '../../src/engine/query-notices.ts';
import { fewResults } from '../../src/engine/suggestion/few-results.ts';
import { oneLine } from '../../src/text/line/one-line.ts';
import { ignoredNotice } from '../ignored-notice.ts';
import type { AnswerOptions } from './answer-options.ts';
import { externalNotice } from './external-notice.ts';
import { fitResults } from './fit-results.ts';
import { emptyIndexNotice, partialNotice } from './partial-notice.ts';
import { passagesOfResults } from './result-passages.ts';

/** The answer of `web_search`, with the passages that were asked for. */
export async function answerSearch<Untrusted>(
  engine: Engine,
  { passages, ...params }: SearchParams & { readonly passages: number },
  options: AnswerOptions<Untrusted>,
) {
  const { untrusted, schema, ...callOptions } = options;
  const { mayAskExternal = () => true, onProgress = () => {}, ignored = [] } = callOptions;
  onProgress('Searching the index');
  const { external, partial, ...response } = await engine.search(params, {
    ...callOptions,
    partial: true,
    mayAskExternal: async () => {
      const isAllowed = await mayAskExternal();
      if (isAllowed) onProgress('Asking other search services');
      return isAllowed;
    },
  });
  const { total, results } = response;
  const partialMatches = partial?.matches ?? [];
  const notices = [
    externalNotice(external, total),
    total === 0 && engine.status().pages === 0 ? emptyIndexNotice : partialNotice(partial),
    ...queryNotices(params.q),
    ignoredNotice(ignored, schema),
  ];
  const suggestion = total < fewResults ? await engine.didYouMean(params) : undefined;
  const around = {
    untrusted,
    ...response,
    ...(suggestion !== undefined && { did_you_mean: oneLine(suggestion) }),
  };
  const frame = { ...around, notice: notices.join(' '), results: [], partial_matches: [] };
  const frameChars = JSON.stringify(frame).length;
  const both = [...results, ...partialMatches];
  const { results: fitted, leftOut } = fitResults(both, frameChars, params.limit);
  const leftOutNotice = leftOut > 0 ? tooLong(fitted.length, leftOut, params.offset) : undefined;
  const notice = [...notices, leftOutNotice].filter((each) => each !== undefined).join(' ');
  const partialFitted = fitted
    .slice(results.length)
    .map(({ missing_words = [], ...match }) => ({ ...match, missing_words }));
  const answer = {
    ...around,
    ...(notice !== '' && { notice }),
    results: fitted.slice(0, results.length),
    ...(partialFitted.length > 0 && { partial_matches: partialFitted }),
  };
  if (passages === 0) return answer;
  const ids = answer.results.flatMap(({ id, source }) => (source === 'local' ? [id] : []));
  const found = await passagesOfResults(engine, ids, {
    q: params.q,
    count: passages,
    answer: JSON.stringify(answer),
    signal: callOptions.signal,
  });
  const withPassages = answer.results.map((result) => {
    const own = found.get(result.id);
    return own ? { ...result, passages: own } : result;
  });
  return { ...answer, results: withPassages };
}

function tooLong(shown: number, leftOut: number, offset: number): string {
  return `Of this page's ${shown + leftOut} results the last ${leftOut} are left out, to keep the answer short: search again with offset ${offset + shown} for them.`;
}
