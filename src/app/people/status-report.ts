import type { Config } from '../../config/config.ts';
import type { HostReport, StatusReport } from '../../contract/status-report.ts';
import { readProviderHealth } from '../../external/provider-health.ts';
import type { StatusParts } from '../../http/pages/people/status-page.ts';
import type { AdmissionControlStats } from '../../limits/admission.ts';
import type { Rate } from '../../limits/gcra.ts';
import type { Clock } from '../../runtime.ts';
import { version } from '../about.ts';
import type { App } from '../app.ts';
import { providerHealthFile } from '../providers.ts';
import { folderBytesOnDisk, type HostSurvey, surveyHosts } from './survey.ts';

export interface StatusReportParts {
  readonly app: App;
  readonly config: Pick<Config, 'dataFolder' | 'external' | 'limits'>;
  readonly admissionStats: () => AdmissionControlStats;
  readonly crawls: () => StatusReport['crawls'];
  readonly now: Clock;
}

const maxHosts = 100;
const maxReasons = 8;
/** A survey looks at every page, so it is not made for every request. */
const surveyEveryMs = 60_000;

interface Survey {
  readonly at: number;
  readonly hosts: readonly HostSurvey[];
  readonly diskBytes: number;
}

/**
 * Reports the state of a service. What is counted page by page may be some minutes old. To those who see public pages alone,
 * sites with private ones are left out.
 */
export function createStatusReport(parts: StatusReportParts): Pick<StatusParts, 'report' | 'crawls'> {
  const { app, config, admissionStats, crawls, now } = parts;
  const { store, isFrontEnd } = app;
  let latest: Survey | undefined;
  let running: Promise<Survey> | undefined;

  const makeSurvey = async (): Promise<Survey> => {
    const at = now();
    if (isFrontEnd) return { at, hosts: [], diskBytes: 0 };
    const hosts = await surveyHosts(store);
    latest = { at, hosts, diskBytes: folderBytesOnDisk(config.dataFolder) };
    return latest;
  };

  /** The latest survey; an old one is given while the next one is made. */
  const survey = async (): Promise<Survey> => {
    if (latest && now() - latest.at < surveyEveryMs) return latest;
    running ??= makeSurvey().finally(() => {
      running = undefined;
    });
    // What fails is tried again by the next request.
    if (latest) running.catch(() => {});
    return latest ?? running;
  };

  const crawlsFor: StatusParts['crawls'] = (seen) => {
    if (seen === 'all') return crawls();
    const closed = new Set(latest?.hosts.filter((host) => !isOpen(host)).map(({ host }) => host));
    return crawls().filter(({ host }) => !closed.has(host));
  };

  const report: StatusParts['report'] = async (seen) => {
    const { at, hosts: allHosts, diskBytes } = await survey();
    const hosts = seen === 'all' ? allHosts : allHosts.filter(isOpen);
    const { segments, livePages, packedSeq } = app.index.stats();
    const { inFlight, waiting } = admissionStats();
    const health = store.health();
    return {
      version,
      uptime_seconds: Math.floor(process.uptime()),
      memory_bytes: process.memoryUsage.rss(),
      ...(seen === 'all' ? app.engine : app.publicEngine).status(),
      copies: hosts.reduce((sum, host) => sum + host.copies, 0),
      disk_bytes: diskBytes,
      storage: health.kind === 'ok' ? null : health.why,
      index: {
        segments,
        live_pages: livePages,
        unpacked_changes: Math.max(0, store.lastSeq() - packedSeq),
      },
      requests: { in_flight: inFlight, waiting },
      limits: limitsOf(config.limits),
      providers: providersOf(config),
      crawls: crawlsFor(seen),
      host_count: hosts.length,
      hosts: hosts.slice(0, maxHosts).map(hostReport),
      surveyed_at: new Date(at).toISOString(),
    };
  };

  return { report, crawls: crawlsFor };
}

function isOpen({ privatePages }: HostSurvey): boolean {
  return privatePages === 0;
}

function hostReport({ host, pages, copies, lastVisitAt, nextVisitAt, failures }: HostSurvey): HostReport {
  return {
    host,
    pages,
    copies,
    last_visit: iso(lastVisitAt),
    next_visit: iso(nextVisitAt),
    failures: failures.slice(0, maxReasons).map(([reason, urls]) => ({ reason, urls })),
  };
}

function limitsOf({ search, content, fallback, inFlight, maxInFlight }: Config['limits']) {
  const rate = (each: Rate | 'off') => (each === 'off' ? each : `${each.perMinute}/${each.burst}`);
  return {
    search: rate(search),
    content: rate(content),
    external: rate(fallback),
    in_flight: String(inFlight),
    in_flight_of_all: String(maxInFlight),
  };
}

function providersOf({ external, dataFolder }: StatusReportParts['config']): StatusReport['providers'] {
  const health = readProviderHealth(providerHealthFile(dataFolder));
  return external.providers.map((name) => {
    const { askedAt, answeredAt, tookMs, failure, remaining, missing } = health[name] ?? {};
    return {
      name,
      asked_at: iso(askedAt),
      answered_at: iso(answeredAt),
      took_ms: tookMs ?? null,
      failure: failure?.message ?? null,
      missing: missing ?? null,
      retry_at: iso(failure?.retryAt),
      remaining: remaining ?? null,
    };
  });
}

function iso(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString();
}
