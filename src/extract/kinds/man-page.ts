import type { Kind } from './kind.ts';
import { headingMarkup, htmlText, readingOfMarkup } from './markup-reading.ts';

const roffStart =
  /^(?:(?:['.]\\"|\.\\\}|'\\"|\.ig|\.de|\.if|\.nr|\.ds|\.so).*\r?\n|\s*\r?\n){0,100}\.(?:TH|Dd)\s/;
/** Requests whose arguments are text. */
const fontRequests =
  /^(?:B|I|R|SM|SB|BR|RB|BI|IB|IR|RI|TP|IP|Nm|Ar|Fl|Pa|Ev|Cm|Dv|Er|Fa|Fn|Ic|Li|Sy|Em|Va|Vt|Xr|Pq|Dq|Sq|Qq|Op|Oo|Oc|An|Aq|St|Tn|Ux|Bx|Fx|Ox|Nx|Ql|Sx|Cd|In|Ft|No|Ns|It)$/;
const definitions: Readonly<Record<string, string>> = {
  aq: "'",
  cq: '’',
  oq: '‘',
  dq: '"',
  lq: '“',
  rq: '”',
  em: '—',
  en: '–',
  hy: '-',
  bu: '•',
  co: '©',
  rg: '®',
  ti: '~',
  ha: '^',
  bv: '|',
  ba: '|',
  rs: '\\',
  '->': '→',
  '<-': '←',
  mu: '×',
  '+-': '±',
  '>=': '≥',
  '<=': '≤',
  de: '°',
  mc: 'µ',
  ga: '`',
};

/** A manual page (the macros man and mdoc of roff): its sections as headings, options as items, examples as code. */
export const manPage: Kind = {
  name: 'manual page',
  mediaTypes: ['text/troff', 'application/x-troff-man', 'application/x-troff', 'application/x-mandoc'],
  endings: ['man', 'mdoc', 'roff', ...'123456789'],
  begins: ({ beginning }) => (roffStart.test(beginning) ? 'yes' : 'no'),
  read({ url, text }) {
    const { html, title } = toHtml(text() ?? '');
    return readingOfMarkup(html, { url, title: title || undefined });
  },
};

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one line of roff after the other, a case for each request
function toHtml(source: string): { html: string; title: string } {
  const parts: string[] = [];
  let [title, name, section] = ['', '', ''];
  let verbatim = false;
  let ignored = false;
  let isNameSection = false;
  const paragraph = () => parts.push('</p>\n<p>');
  for (const line of source.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, request = '', rest = ''] = /^[.']\s*([A-Za-z\]]{1,3}|\.)\s*(.*)$/.exec(line) ?? [];
    if (ignored) ignored = !/^\.\.\s*$/.test(line);
    else if (/^[.']\s*\\"/.test(line) || line === '.') continue;
    else if (request === 'de' || request === 'ig') ignored = true;
    else if (request === 'TH') [name = '', section = ''] = argumentsOf(rest);
    else if (request === 'Dt') [name = '', section = ''] = argumentsOf(rest);
    else if (/^(?:SH|SS|Sh|Ss)$/.test(request)) {
      const text = argumentsOf(rest).join(' ');
      isNameSection = /^name$/i.test(text);
      parts.push(`</p>${headingMarkup(/^S[Hh]$/.test(request) ? 2 : 3, markup(text))}<p>`);
    } else if (request === 'Nd') {
      title ||= `${name.toLowerCase()} - ${plain(rest)}`;
      parts.push(` – ${markup(rest)}`);
    } else if (
      request === 'EX' ||
      request === 'nf' ||
      (request === 'Bd' && /-literal|-unfilled/.test(rest))
    ) {
      verbatim = true;
      parts.push('</p><pre>');
    } else if (request === 'EE' || request === 'fi' || request === 'Ed') {
      if (verbatim) parts.push('</pre><p>');
      verbatim = false;
    } else if (/^(?:PP|P|LP|HP|sp|br|Pp|Lp|TP|IP|It|TQ)$/.test(request)) {
      if (verbatim) parts.push('\n');
      else paragraph();
      const terms = argumentsOf(rest);
      if (request === 'IP' && terms[0] !== undefined) parts.push(`${markup(terms[0])}<br>`);
      if (request === 'It' && terms.length > 0) parts.push(`${markup(mdocText(terms))}<br>`);
    } else if (request === 'Nm') parts.push(` ${markup(rest || name.toLowerCase())}`);
    else if (request !== '') {
      if (fontRequests.test(request)) {
        const words = argumentsOf(rest);
        const isJoined = /^(?:BR|RB|BI|IB|IR|RI)$/.test(request);
        const text = isJoined ? words.join('') : mdocText(request === 'Fl' ? ['Fl', ...words] : words);
        parts.push(
          `${verbatim ? '' : ' '}${markup(request === 'Op' ? `[${text}]` : text)}${verbatim ? '\n' : ''}`,
        );
      }
    } else {
      const text = markup(line);
      if (isNameSection && title === '' && /\s(?:\\?-|–)/.test(line))
        title = plain(line).replace(/\s+/g, ' ').trim();
      parts.push(verbatim ? `${text}\n` : line.trim() === '' ? '</p>\n<p>' : ` ${text}`);
    }
  }
  const named = name === '' ? title : title.replace(/^(\S+?)(?=\s-)/, `$1(${section || 1})`);
  return { html: `<p>${parts.join('')}</p>`, title: named || name };
}

/** Words of a request; quotes hold several together. */
function argumentsOf(rest: string): string[] {
  return [...rest.matchAll(/"((?:[^"]|"")*)"?|(\S+)/g)].map(([, quoted, word = '']) =>
    (quoted ?? word).replaceAll('""', '"'),
  );
}

/** Arguments of mdoc: macros among them are called, flags get their dash. */
function mdocText(words: readonly string[]): string {
  let text = '';
  let isFlag = false;
  for (const word of words) {
    if (word === 'Fl') {
      isFlag = true;
      continue;
    }
    if (/^(?:Ar|Cm|Pa|Op|Nm|Ns|No|Ev|Li|Em|Sy|Xr|Ic|Dv)$/.test(word)) continue;
    text += `${text === '' ? '' : ' '}${isFlag ? `-${word}` : word}`;
    isFlag = false;
  }
  return text;
}

/** Text without roff's escapes. */
function plain(text: string): string {
  return text
    .replace(/\\".*$/, '')
    .replace(
      /\\f(?:\[[^\]]*\]|\(..|.)|\\[&,/|^%:!?)]|\\s[-+]?\d+|\\m\[[^\]]*\]|\\[kn](?:\(..|.)|\\[hvwD]'[^']*'/g,
      '',
    )
    .replace(
      /\\\((..)|\\\[([^\]]{1,20})\]/g,
      (_, two?: string, more?: string) => definitions[two ?? more ?? ''] ?? ' ',
    )
    .replace(/\\\*(?:\(..|\[[^\]]*\]|.)/g, '')
    .replace(/\\-/g, '-')
    .replace(/\\[ ~0t]/g, ' ')
    .replace(/\\e/g, '\\')
    .replace(/\\(.)/g, '$1');
}

const markup = (text: string): string => htmlText(plain(text));
