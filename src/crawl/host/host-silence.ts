import type { Clock } from '../../runtime.ts';
import { askedForPause } from '../fetch/fetch-outcome.ts';
import type { Visit } from '../visit.ts';

/** How long a crawl goes on with a host that does not answer, including requests and pauses. */
const maxSilenceSeconds = 150;

/** Measures how long a host has not answered. */
export interface HostSilence {
  /** Notes the result of a visit; `startedAt` in epoch milliseconds. */
  note(visit: Visit, startedAt: number): void;
  /** Whether the silence would exceed the limit after a pause of this many seconds. */
  outlasts(pauseSeconds: number): boolean;
  /** Whether the host has answered at least once. */
  hasAnswered(): boolean;
}

/** Whether a visit got no answer. A host that requested a pause has answered before. */
export function isSilence(visit: Visit): visit is Extract<Visit, { kind: 'later' }> {
  return visit.kind === 'later' && !visit.answered && visit.why !== askedForPause;
}

export function createHostSilence(now: Clock): HostSilence {
  let since: number | undefined;
  let answered = false;
  return {
    note(visit, startedAt) {
      if (isSilence(visit)) {
        since ??= startedAt;
        return;
      }
      since = undefined;
      // A page that was not requested, such as one that robots.txt refuses, is no answer of the host.
      answered ||= visit.kind !== 'never';
    },
    outlasts: (pauseSeconds) =>
      since !== undefined && now() + pauseSeconds * 1000 > since + maxSilenceSeconds * 1000,
    hasAnswered: () => answered,
  };
}
