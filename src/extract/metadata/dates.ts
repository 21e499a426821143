/**
 * Month names by their first letters, folded: en, de, fr, es, it, pt, nl, pl, cs, ru, uk, tr, sv, id, el, ro, hu, fi, ar,
 * he, hi. The longest that fits decides: the Finnish marraskuu is not March.
 */
const monthPrefixes: readonly (readonly string[])[] = [
  'jan gen ene янв січ ιαν sty led oca ian tammi يناير ינואר जनवरी',
  'feb fév fev лют фев φεβ lut úno şub helmi فبراير פברואר फरवरी फ़रवरी',
  'mar mär maer maa mrt мар бер μαρ bře maalis مارس מרץ मार्च',
  'apr avr abr апр кві απρ kwi dub nis huhti أبريل ابريل إبريل אפריל अप्रैल',
  'may mai maj mag mei мая май тра μαϊ μαι kvě máj touko مايو מאי मई',
  'jun juin giu июн чер ιουν cze haz iun jún kesä يونيو יוני जून',
  'jul juil lug июл лип ιουλ lip tem iul júl heinä يوليو יולי जुलाई',
  'aug aoû aou ago авг сер αυγ sie srp ağu elo أغسطس اغسطس אוגוסט अगस्त',
  'sep set сен вер σεπ wrz zář eyl szep syys سبتمبر ספטמבר सितंबर सितम्बर',
  'oct okt oto out ott окт жов οκτ paź říj eki loka أكتوبر اكتوبر אוקטובר अक्टूबर',
  'nov ноя лис νοε lis kas noi marras نوفمبر נובמבר नवंबर नवम्बर',
  'dec dez déc dic дек гру δεκ gru pro ara des joulu ديسمبر דצמבר दिसंबर दिसम्बर',
].map((names) => names.split(' '));

const iso =
  /(?<!\d)((?:19|20)\d{2})-(\d{1,2})-(\d{1,2})(?:(?:T|\s+|\s*,\s*)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?/i;
const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:T?\d{4,6}Z?)?$/;
const cjk =
  /((?:19|20)\d{2})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号號]?(?:\s*(\d{1,2}):(\d{2}))?/;
const yearFirst = /(?<![\d/.])((?:19|20)\d{2})\s?[./]\s?(\d{1,2})\s?[./]\s?(\d{1,2})(?![\d/])/;
const dotted = /(?<![\d.])(\d{1,2})\s?\.\s?(\d{1,2})\s?\.\s?((?:19|20)\d{2})(?!\d)/;
/** A year of two digits is one of this century, and only after dots: no price or time has two dots. */
const shortYear = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{2})(?![\d.])/;
const slashed = /(?<![\d/])(\d{1,2})\s?[/-]\s?(\d{1,2})\s?[/-]\s?((?:19|20)\d{2})(?!\d)/;
const dayMonth =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|°|ª|\.|ος)?[\s-]+(?:de\s+|of\s+|d['’])?([\p{L}\p{M}]{3,12})\.?,?[\s-]+(?:de\s+|del\s+)?((?:19|20)\d{2})(?!\d)(?:\s*(?:,|at|-|um)?\s*(\d{1,2}):(\d{2})(?::(\d{2}))?(?!\s*[ap]\.?m)\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?/iu;
const monthDay =
  /(?<![\p{L}\p{M}])([\p{L}\p{M}]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\s*,?\s+((?:19|20)\d{2})(?!\d)/iu;
const yearMonthDay = /(?<!\d)((?:19|20)\d{2})[.,]?\s+([\p{L}\p{M}]{3,12})\.?\s+(\d{1,2})(?!\d)/u;
const maxSourceLength = 300;

export interface WrittenDate {
  /** Epoch milliseconds. */
  readonly time: number;
  /** The day as it is written, `YYYY-MM-DD`: where the page is, it may be another one than in UTC. */
  readonly day: string;
}

/** The first date in a text, as epoch milliseconds; see `readDate`. */
export const parseDate = (source: string, monthFirst = false): number | undefined =>
  readDate(source, monthFirst)?.time;

/**
 * The first date in a text: ISO 8601, RFC 5322, and the usual spellings of a day with its year. Without a time, and at
 * midnight of any zone, it is midnight UTC; without an offset, the time is UTC. `monthFirst` decides 03/04/2024.
 */
export function readDate(source: string, monthFirst = false): WrittenDate | undefined {
  const text = source.slice(0, maxSourceLength).trim();
  let match = iso.exec(text);
  if (match) return instant(match[1], match[2], match[3], match[4], match[5], match[6], match[7]);
  match = compact.exec(text);
  if (match) return instant(match[1], match[2], match[3]);
  match = cjk.exec(text);
  if (match) return instant(match[1], match[2], match[3], match[4], match[5]);
  match = dayMonth.exec(text);
  if (match) {
    const month = monthOf(match[2]);
    if (month) return instant(match[3], month, match[1], match[4], match[5], match[6], match[7]);
  }
  match = monthDay.exec(text);
  if (match) {
    const month = monthOf(match[1]);
    if (month) return instant(match[3], month, match[2]);
  }
  match = yearFirst.exec(text);
  if (match) return instant(match[1], match[2], match[3]);
  match = dotted.exec(text);
  if (match) return instant(match[3], match[2], match[1]);
  match = shortYear.exec(text);
  if (match) return instant(2000 + Number(match[3]), match[2], match[1]);
  match = slashed.exec(text);
  if (match) {
    const isMonthFirst = Number(match[2]) > 12 || (monthFirst && Number(match[1]) <= 12);
    return isMonthFirst ? instant(match[3], match[1], match[2]) : instant(match[3], match[2], match[1]);
  }
  match = yearMonthDay.exec(text);
  const month = monthOf(match?.[2]);
  return match && month ? instant(match[1], month, match[3]) : undefined;
}

function monthOf(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  // In Hebrew a preposition is part of the word.
  const folded = name.toLowerCase().replace(/^ב(?=\p{L}{2})/u, '');
  let month: number | undefined;
  let longest = 0;
  for (const [index, prefixes] of monthPrefixes.entries()) {
    for (const prefix of prefixes) {
      if (prefix.length <= longest || !folded.startsWith(prefix)) continue;
      longest = prefix.length;
      month = index + 1;
    }
  }
  return month;
}

type Part = string | number | undefined;

function instant(
  year: Part,
  month: Part,
  day: Part,
  hour?: Part,
  minute?: Part,
  second?: Part,
  offset?: Part,
): WrittenDate | undefined {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  if (m < 1 || m > 12 || d < 1 || d > new Date(Date.UTC(y, m, 0)).getUTCDate()) return undefined;
  const [h, min, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  const midnight = Date.UTC(y, m - 1, d);
  const written = new Date(midnight).toISOString().slice(0, 10);
  if (h > 23 || min > 59 || s > 60) return { time: midnight, day: written };
  // Midnight to the second, in any zone, is a day that a template has written as a time.
  if (h === 0 && min === 0 && s === 0) return { time: midnight, day: written };
  return { time: Date.UTC(y, m - 1, d, h, min, s) - offsetMs(offset), day: written };
}

function offsetMs(offset: Part): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(String(offset ?? ''));
  if (!match) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000;
}
