import type { Context } from 'hono';
import type { Strings } from './strings.ts';
import { en } from './strings-en.ts';
import { zh } from './strings-zh.ts';

const strings = { en, zh } as const;

/** The languages of the pages, by primary subtag. */
export type UiLanguage = keyof typeof strings;

/** How a page speaks to the person who asked for it. */
export interface Ui {
  readonly lang: UiLanguage;
  readonly t: Strings;
  number(value: number): string;
  /** The day of a time in ISO 8601 or epoch milliseconds, in UTC. */
  date(time: string | number): string;
  dateTime(time: string | number): string;
  bytes(value: number): string;
  /** The name of a language; the code itself where it has none. */
  languageName(code: string): string;
  list(items: readonly string[]): string;
  /** An address of this service with these parameters, those without a value left out; it keeps `ui` where it was given. */
  href(path: string, parameters?: Readonly<Record<string, string | number | undefined>>): string;
  /** The page that was asked for, in another language. */
  inLanguage(lang: UiLanguage): string;
}

export const uiLanguages = Object.keys(strings) as UiLanguage[];

const isUiLanguage = (text: string): text is UiLanguage => Object.hasOwn(strings, text);

/** The language of `?ui=`, else the one that `Accept-Language` prefers, else English. */
export function uiOf(c: Context): Ui {
  const asked = c.req.query('ui') ?? '';
  // The page depends on it, also where a cache stands between.
  c.header('Vary', 'Accept-Language', { append: true });
  if (isUiLanguage(asked)) return createUi(asked, c.req.url, asked);
  return createUi(preferredLanguage(c.req.header('accept-language') ?? ''), c.req.url);
}

/** `chosen` is what `?ui=` says, which every link then says as well. */
export function createUi(lang: UiLanguage, url: string, chosen?: UiLanguage): Ui {
  const format = formatsOf(lang);
  return {
    lang,
    t: strings[lang],
    number: (value) => format.numbers.format(value),
    date: (time) => format.dates.format(new Date(time)),
    dateTime: (time) => `${format.times.format(new Date(time))} UTC`,
    bytes: (value) => bytesIn(lang, value),
    languageName: (code) => nameOf(format.names, code),
    list: (items) => format.lists.format(items),
    href: (path, parameters = {}) => address(path, { ...parameters, ui: chosen }),
    inLanguage: (other) => {
      const { pathname, searchParams } = new URL(url);
      return address(pathname, { ...Object.fromEntries(searchParams), ui: other, part: undefined });
    },
  };
}

interface Formats {
  readonly numbers: Intl.NumberFormat;
  readonly names: Intl.DisplayNames;
  readonly dates: Intl.DateTimeFormat;
  readonly times: Intl.DateTimeFormat;
  readonly lists: Intl.ListFormat;
}

/** They take longer to make than a page does. */
const formats = new Map<UiLanguage, Formats>();

function formatsOf(lang: UiLanguage): Formats {
  const made = formats.get(lang);
  if (made !== undefined) return made;
  const format: Formats = {
    numbers: new Intl.NumberFormat(lang),
    names: new Intl.DisplayNames(lang, { type: 'language', fallback: 'code' }),
    dates: new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeZone: 'UTC' }),
    times: new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    lists: new Intl.ListFormat(lang),
  };
  formats.set(lang, format);
  return format;
}

function address(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** By the weights of an `Accept-Language` header (RFC 9110, section 12.5.4). */
function preferredLanguage(header: string): UiLanguage {
  let best: { readonly lang: UiLanguage; readonly weight: number } | undefined;
  for (const item of header.split(',', 20)) {
    const [tag = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const lang = tag.split('-')[0] ?? '';
    const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = given === undefined ? 1 : Number(given) || 0;
    if (isUiLanguage(lang) && weight > (best?.weight ?? 0)) best = { lang, weight };
  }
  return best?.lang ?? 'en';
}

/** A page may declare anything as its language. */
function nameOf(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

function bytesIn(lang: UiLanguage, value: number): string {
  const [divisor, unit] =
    value >= 1e9 ? [1e9, 'gigabyte'] : value >= 1e6 ? [1e6, 'megabyte'] : [1e3, 'kilobyte'];
  const format = new Intl.NumberFormat(lang, { style: 'unit', unit, maximumFractionDigits: 1 });
  return format.format(value / divisor);
}
