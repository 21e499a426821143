import { walkXml } from '../documents/index.ts';
import type { Kind } from './kind.ts';
import { htmlText, readingOfMarkup } from './markup-reading.ts';

const root = 'book|article|refentry|reference|chapter|appendix|section|sect1|part|set|preface|glossary';
const docbookStart = new RegExp(
  `^<\\?xml[^>]*>[\\s\\S]{0,2000}<!DOCTYPE\\s+(?:${root})\\s+[^>]*DocBook|<(?:${root})[\\s>][^>]*docbook\\.org/ns/docbook`,
);

/** The elements of DocBook that have a counterpart in HTML; others are their text. */
const counterparts: Readonly<Record<string, string>> = {
  para: 'p',
  simpara: 'p',
  formalpara: 'div',
  programlisting: 'pre',
  screen: 'pre',
  synopsis: 'pre',
  literallayout: 'pre',
  itemizedlist: 'ul',
  simplelist: 'ul',
  orderedlist: 'ol',
  procedure: 'ol',
  listitem: 'li',
  member: 'li',
  step: 'li',
  variablelist: 'dl',
  term: 'dt',
  glossterm: 'dt',
  blockquote: 'blockquote',
  informaltable: 'table',
  table: 'table',
  row: 'tr',
  entry: 'td',
  command: 'code',
  literal: 'code',
  filename: 'code',
  option: 'code',
  function: 'code',
  emphasis: 'em',
  refnamediv: 'p',
  note: 'blockquote',
  warning: 'blockquote',
  tip: 'blockquote',
};
const sections =
  /^(?:book|article|part|chapter|appendix|preface|section|sect[1-5]|refentry|refsect[1-3]|refsection|reference|glossary|set|simplesect)$/;
const unread = /^(?:indexterm|remark|imagedata|graphic|revhistory|legalnotice|copyright|mediaobject)$/;
const information = /^(?:info|\w+info|refmeta)$/;
const people = /^(?:author|editor|authorgroup|othercredit)$/;

/** DocBook XML (4 and 5): sections become headings of their depth. Entities of a DTD are not expanded. */
export const docbook: Kind = {
  name: 'DocBook',
  mediaTypes: ['application/docbook+xml', 'application/x-docbook+xml'],
  endings: [],
  begins: ({ beginning }) => (docbookStart.test(beginning) ? 'yes' : 'no'),
  read({ url, text }) {
    const parts: string[] = [];
    const open: string[] = [];
    let [depth, skipped, information_, title, author] = [0, 0, 0, '', ''];
    walkXml(text() ?? '', {
      open(name, { url: target, 'xlink:href': href, language }) {
        open.push(name);
        if (unread.test(name)) skipped++;
        if (information.test(name)) information_++;
        if (sections.test(name)) depth++;
        if (skipped > 0 || information_ > 0) return;
        if (name === 'title' || name === 'refname') parts.push(`<h${Math.min(6, Math.max(1, depth))}>`);
        const address = name === 'ulink' || name === 'link' ? (target ?? href) : undefined;
        if (address !== undefined) parts.push(`<a href="${htmlText(address)}">`);
        const tag = counterparts[name];
        if (tag === 'pre') parts.push(`<pre><code class="language-${htmlText(language ?? 'none')}">`);
        else if (tag !== undefined) parts.push(`<${tag}>`);
      },
      close(name) {
        open.pop();
        if (skipped === 0 && information_ === 0) {
          const tag = counterparts[name];
          if (tag === 'pre') parts.push('</code></pre>');
          else if (tag !== undefined) parts.push(`</${tag}>`);
          if (name === 'ulink' || name === 'link') parts.push('</a>');
          if (name === 'title' || name === 'refname') parts.push(`</h${Math.min(6, Math.max(1, depth))}>`);
        }
        if (sections.test(name)) depth--;
        if (information.test(name)) information_--;
        if (unread.test(name)) skipped--;
      },
      text(piece) {
        if (skipped > 0) return;
        if (information_ > 0) {
          if (open.at(-1) === 'title' || open.at(-1) === 'refentrytitle') title ||= piece.trim();
          if (open.some((name) => people.test(name))) author += piece;
        } else parts.push(htmlText(piece));
      },
    });
    return readingOfMarkup(parts.join(''), {
      url,
      title: title || undefined,
      author: author.replace(/\s+/g, ' ').trim().slice(0, 200) || null,
    });
  },
};
