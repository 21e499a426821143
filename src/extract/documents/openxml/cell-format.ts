/** Built-in number formats that show a date, a time or both (ECMA-376 part 1, 18.8.30, with the East Asian ones). */
const builtInDates = new Set(
  '14 15 16 17 18 19 20 21 22 27 28 29 30 31 32 33 34 35 36 45 46 47 50 51 52 53 54 55 56 57 58'.split(' '),
);
const timesOnly = new Set(['18', '19', '20', '21', '45', '46', '47']);
const builtInShares = new Set(['9', '10']);
const dayMs = 86_400_000;
const lastDay = 2_958_466;

/** Whether a number format, a built-in one's number or a format code, shows dates. */
export function isDateFormat(format: string): boolean {
  if (/^\d+$/.test(format)) return builtInDates.has(format);
  return /[ymdhs]|[年月日]/i.test(bare(format)) && !/general|^[#0.,]+$/i.test(format);
}

/**
 * A number approximately as displayed, for search: dates in ISO 8601, shares in percent, other numbers with at most 15
 * digits. Undefined when it is not a number.
 */
export function formatCell(value: number, format: string, from1904: boolean): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (isDateFormat(format)) return formatDate(value, format, from1904) ?? String(value);
  if (builtInShares.has(format) || /%/.test(bare(format))) return `${digits(value * 100)}%`;
  return digits(value);
}

/** A format code without quoted text, escapes and sections in brackets such as colors. */
function bare(format: string): string {
  return format.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h|m|s)[^\]]*\]/gi, '').split(';', 1)[0] ?? '';
}

function digits(value: number): string {
  return String(Number(value.toPrecision(15)));
}

/** Day 60 of the 1900 system is a 29 February that did not exist; earlier days are off by one. */
function formatDate(value: number, format: string, from1904: boolean): string | undefined {
  if (value < 0 || value >= lastDay) return undefined;
  const days = from1904 ? value + 1462 : value < 60 ? value + 1 : value;
  const date = new Date(Math.round(((days - 25_569) * dayMs) / 1000) * 1000);
  const [day = '', time = ''] = date
    .toISOString()
    .replace(/(?:\.\d+)?Z$/, '')
    .split('T');
  const short = time.replace(/:00$/, '');
  const hasDay = /^\d+$/.test(format)
    ? !timesOnly.has(format)
    : /[yd]|[年月日]/i.test(bare(format)) || !/h|s/i.test(format);
  if (!hasDay) return short;
  return value % 1 === 0 ? day : `${day} ${short}`;
}
