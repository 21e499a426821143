import type { PageMarks } from '../../index/page-marks.ts';
import type { Factors } from './candidate.ts';
import type { HeadScored } from './head-scores.ts';

/** A page with all of its factors but those of repetition. */
export interface Scored {
  readonly head: HeadScored;
  readonly marks: PageMarks | undefined;
  readonly ofBody: Factors;
  readonly score: number;
}

/** Factor for a near copy of a better page. */
const copyFactor = 0.5;
/** Factor for each further page of a host, from the third on, and its lower limit. */
const hostFactor = 0.95;
const minHostFactor = 0.8;

/** A page with the factors by which it is demoted, and its score times them. */
export interface Demoted {
  readonly page: Scored;
  readonly copy: number;
  readonly sameHost: number;
  readonly demoted: number;
}

/** Demotes copies of a better page and further pages of the same host. No page is removed. */
export function demoteRepetition(
  ranked: readonly Scored[],
  namesSite: boolean,
  isNamed: (host: string) => boolean,
): Demoted[] {
  const seen = new Set<string>();
  const pagesOfHost = new Map<string, number>();
  const demoted = ranked.map((page): Demoted => {
    const { head, marks, score } = page;
    const { host } = head.candidate.address;
    const before = pagesOfHost.get(host) ?? 0;
    pagesOfHost.set(host, before + 1);
    const fingerprint = marks?.likeness;
    const copy = fingerprint !== undefined && seen.has(fingerprint) ? copyFactor : 1;
    if (fingerprint !== undefined) seen.add(fingerprint);
    const isWanted = namesSite || isNamed(host);
    const sameHost = isWanted ? 1 : Math.max(minHostFactor, hostFactor ** Math.max(0, before - 1));
    return { page, copy, sameHost, demoted: score * copy * sameHost };
  });
  return demoted.sort((a, b) => b.demoted - a.demoted);
}
