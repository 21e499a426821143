import type { ExternalReport } from '../src/engine/external-results.ts';

const maxNamed = 4;

/**
 * What a reader of results should know of the web's part in them, in a few sentences: that to have found nothing is not
 * to have looked, who could not be asked, and what to do. Undefined when there is nothing to say.
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
  const inPart = failures.filter(({ answeredInPart }) => answeredInPart);
  const others = failures.filter(({ answeredInPart }) => !answeredInPart);
  const unasked = [
    ...(others.length > 0 || inPart.length === 0 ? [`Could not ask ${listProviders(others)}.`] : []),
    ...(inPart.length > 0 ? [`Answered in part: ${listProviders(inPart)}.`] : []),
  ].join(' ');
  if (state === 'partial') return `${unasked} There may be more on the web than these results.`;
  const found = total === 0 ? 'Nothing local matches' : 'These results are local ones alone';
  return `${found}, and the web could not be searched, so this does not mean that there is nothing. ${unasked} ${advice(failures)}`;
}

function listProviders(failures: ExternalReport['failures']): string {
  if (failures.length === 0) return 'anybody: an internal error, which has been logged';
  const told = failures.slice(0, maxNamed).map(({ provider, message }) => `${provider} (${message})`);
  const more = failures.length - told.length;
  return `${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function advice(failures: ExternalReport['failures']): string {
  const waits = failures.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  const again = waits.length > 0 ? `in ${Math.ceil(Math.min(...waits))} seconds` : 'later';
  return `Search again ${again}.`;
}
