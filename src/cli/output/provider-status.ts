import type { Config } from '../../config/config.ts';
import { type ProviderName, providerFacts, providerNames } from '../../external/provider-facts.ts';
import type { ProviderHealthByName } from '../../external/provider-health.ts';

/** The part of `gleaner status` about external providers: which are on, the health of each, what the others need. */
export function providerStatus(
  { external, contact }: Pick<Config, 'external' | 'contact'>,
  health: ProviderHealthByName,
  now: number,
): string {
  const { providers, deadlineMs } = external;
  const isOn = (name: ProviderName) => providers.includes(name);
  const width = Math.max(...providerNames.map((name) => name.length));
  const on = providers.map((name) => {
    return `${name.padEnd(width)}  on   ${describeAccess(name, external)}; ${describeHealth(health[name], now)}\n`;
  });
  const off = providerNames
    .filter((name) => !isOn(name))
    .map((name) => `${name.padEnd(width)}  off  ${howToTurnOn(name, external)}\n`);
  const head =
    providers.length > 0
      ? `Other services are asked when the index has too little, for at most ${deadlineMs} ms:\n`
      : 'No other service is asked (GLEANER_EXTERNAL):\n';
  const wish =
    isOn('wikipedia') && !contact
      ? 'Set GLEANER_CONTACT to an address or URL of yours: Wikipedia asks for one.\n'
      : '';
  return [head, ...on, ...off, wish].join('');
}

/** The health of one provider that is on, for `gleaner status --json`; times in ISO 8601, null before its first request. */
export interface ServiceStatus {
  readonly name: ProviderName;
  readonly askedAt: string | null;
  readonly answeredAt: string | null;
  readonly tookMs: number | null;
  readonly failure: string | null;
  /** The part that its last answer could not search. */
  readonly missing: string | null;
  readonly retryAt: string | null;
  /** Remaining requests, as the service reports them. */
  readonly remaining: number | null;
}

export function serviceStates(
  { external }: Pick<Config, 'external'>,
  health: ProviderHealthByName,
): readonly ServiceStatus[] {
  return external.providers.map((name) => {
    const { askedAt, answeredAt, tookMs, failure, remaining, missing } = health[name] ?? {};
    return {
      name,
      askedAt: iso(askedAt),
      answeredAt: iso(answeredAt),
      tookMs: tookMs ?? null,
      failure: failure?.message ?? null,
      missing: missing ?? null,
      retryAt: iso(failure?.retryAt),
      remaining: remaining ?? null,
    };
  });
}

function iso(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString();
}

function describeAccess(name: ProviderName, { keys, urls }: Config['external']): string {
  const { keySetting, urlSetting } = providerFacts[name];
  const used = [urls[name] && urlSetting, keys[name] && keySetting].filter(
    (setting) => setting !== undefined,
  );
  return used.length > 0 ? `with ${used.join(' and ')}` : 'without a key';
}

function describeHealth(entry: ProviderHealthByName[ProviderName], now: number): string {
  if (!entry) return 'not asked yet';
  const { failure, answeredAt, tookMs, remaining, missing } = entry;
  const quota = remaining === null ? '' : `, ${remaining} requests left`;
  const part = missing ? `, in part: ${missing}` : '';
  if (!failure) return `answered ${ago(now - (answeredAt ?? now))} in ${tookMs} ms${quota}${part}`;
  const wait =
    failure.retryAt === null || failure.retryAt <= now ? '' : `, resting ${span(failure.retryAt - now)}`;
  return `failed ${ago(now - failure.at)}: ${failure.message}${wait}`;
}

function howToTurnOn(name: ProviderName, { keys, urls }: Config['external']): string {
  const { needs, keySetting, urlSetting } = providerFacts[name];
  if (needs === 'key' && !keys[name]) return `needs ${keySetting}`;
  if (needs === 'url' && !urls[name]) return `needs ${urlSetting}`;
  if (keys[name] || urls[name]) return 'is not named in GLEANER_EXTERNAL';
  return `can be named in GLEANER_EXTERNAL${keySetting ? `, or given ${keySetting}` : ''}`;
}

function ago(ms: number): string {
  return `${span(ms)} ago`;
}

function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
