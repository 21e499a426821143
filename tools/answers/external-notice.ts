import type { ExternalReport } from '../../src/engine/external-results.ts';

const maxNamed = 4;

/**
 * What a reader should know about external search, in a few sentences: which providers could not be queried, that an empty
 * result is therefore no proof, and what to do. Undefined when all is well.
 */
export function externalNotice(
  { state, reason, failures }: ExternalReport,
  total: number,
): string | undefined {
  if (state === 'off') {
    if (total > 0) return undefined;
    if (reason === 'turned off')
      return 'Only the local index was searched: no web search is set up here (GLEANER_EXTERNAL).';
    if (reason === 'budget spent')
      return 'Only the local index was searched: this client has used up its web searches for now. Try again in a minute.';
    return undefined;
  }
  if (state === 'ok') return undefined;
  const partial = failures.filter(({ answeredInPart }) => answeredInPart);
  const unanswered = failures.filter(({ answeredInPart }) => !answeredInPart);
  const unasked = [
    ...(unanswered.length > 0 || partial.length === 0 ? [`Could not ask ${listProviders(unanswered)}.`] : []),
    ...(partial.length > 0 ? [`Answered in part: ${listProviders(partial)}.`] : []),
  ].join(' ');
  if (state === 'partial') return `${unasked} There may be more on the web than these results.`;
  const localPart = total === 0 ? 'Nothing local matches' : 'These results are local ones alone';
  return `${localPart}, and the web could not be searched, so this does not mean that there is nothing. ${unasked} ${advice(failures)}`;
}

function listProviders(failures: ExternalReport['failures']): string {
  if (failures.length === 0) return 'anybody: an internal error, which has been logged';
  const named = failures.slice(0, maxNamed).map(({ provider, message }) => `${provider} (${message})`);
  const more = failures.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function advice(failures: ExternalReport['failures']): string {
  const waits = failures.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const again = waits.length > 0 ? `in ${Math.ceil(Math.min(...waits))} seconds` : 'later';
  return `Search again ${again}.`;
}
