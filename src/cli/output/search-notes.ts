import { externalNotice } from '../../../tools/answers/external-notice.ts';
import type { Watchers } from '../../app/app.ts';
import type { Config } from '../../config/config.ts';
import type { ExternalReport } from '../../engine/external-results.ts';
import type { ProviderState } from '../../external/search-provider.ts';
import type { Log } from '../../runtime.ts';
import { printableLine } from './printable.ts';
import { createSentenceLog } from './sentence-log.ts';

/** When all of at least this many services fail, the network of this machine is the likely cause. */
const minUnreachable = 2;

/** The notes of `gleaner search` on stderr: one sentence, and with `--verbose` one for each service. */
export function createSearchNotes(config: Pick<Config, 'logLevel' | 'quiet'>) {
  const sentences = createSentenceLog(config);
  const states: ProviderState[] = [];
  const log: Log = {
    ...sentences,
    // The result of a provider comes in `onAsked` too, and its failure in the notice.
    warn: (details, message) => 'provider' in details || sentences.warn(details, message),
  };
  const onAsked: Watchers['onAsked'] = (provider, state, answer) => {
    states.push(state);
    if (state.kind === 'failed')
      sentences.info({}, `${provider} failed after ${state.tookMs} ms: ${state.message}`);
    else if (state.kind === 'ok' || state.kind === 'empty')
      sentences.info({}, `${provider} gave ${results(answer?.results.length ?? 0)} in ${state.tookMs} ms`);
  };
  const external = (report: ExternalReport, total: number): void => {
    if (config.quiet) return;
    const notice = unreachableNotice(states, report) ?? externalNotice(report, total);
    if (notice !== undefined) process.stderr.write(`${printableLine(notice)}\n`);
  };
  return { log, onAsked, external };
}

/** The sentence for a machine without a network. */
function unreachableNotice(
  states: readonly ProviderState[],
  { state, failures }: ExternalReport,
): string | undefined {
  const isUnreached = (one: ProviderState) =>
    one.kind === 'failed' && (one.why === 'connection' || one.why === 'timeout');
  if (state !== 'failed' || failures.length < minUnreachable) return undefined;
  if (states.length !== failures.length || !states.every(isUnreached)) return undefined;
  const [proxySetting] = failures.flatMap(({ message }) => /\bHTTPS?_PROXY\b/.exec(message) ?? []);
  const cause = proxySetting === undefined ? 'the network and DNS' : `the proxy that ${proxySetting} names`;
  return (
    `None of ${failures.length} other search services could be reached, so only the index of this machine was ` +
    `searched: check ${cause}, or set GLEANER_EXTERNAL=off.`
  );
}

function results(count: number): string {
  return count === 1 ? '1 result' : `${count} results`;
}
