import type { Clock } from '../../runtime.ts';
import { askedForPause } from '../fetch/fetch-outcome.ts';
import type { Visit } from '../visit.ts';

/** How long a crawl goes on with a host that answers nothing, requests and pauses together. */
const maxSilenceSeconds = 150;

/** For how long a host has answered nothing. */
export interface HostSilence {
  /** Takes note of what a visit got; `startedAt` in epoch milliseconds. */
  note(visit: Visit, startedAt: number): void;
  /** Whether a pause of this many seconds would make the silence longer than a crawl waits for. */
  outlasts(pauseSeconds: number): boolean;
  /** Whether the host has answered anything since the beginning. */
  hasAnswered(): boolean;
}

/** Whether a visit got no answer; a host that asked for a pause has answered before. */
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
      // A page that was not asked for, such as one that robots.txt refuses, says nothing of the host.
      answered ||= visit.kind !== 'never';
    },
    outlasts: (pauseSeconds) =>
      since !== undefined && now() + pauseSeconds * 1000 > since + maxSilenceSeconds * 1000,
    hasAnswered: () => answered,
  };
}
