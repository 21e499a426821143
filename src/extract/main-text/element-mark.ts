import type { MarkKind } from '../../text/structure/marks.ts';
import type { Element } from './tree.ts';

const inlineKinds: Readonly<Record<string, MarkKind>> = {
  a: 'a',
  b: 'b',
  strong: 'b',
  i: 'i',
  em: 'i',
  code: 'c',
  kbd: 'c',
  samp: 'c',
  tt: 'c',
};

/** What an inline element marks its text as. A link within the page leads nowhere that a reader of the text could follow. */
export function inlineMark({ tag, attributes }: Element): [kind: MarkKind, value: string] | undefined {
  const kind = inlineKinds[tag];
  if (kind !== 'a') return kind && [kind, ''];
  const address = attributes.href?.trim().replace(/\s+/g, ' ') ?? '';
  return address === '' || /^(?:#|(?!https?:)[a-z][a-z0-9+.-]*:)/i.test(address) ? undefined : ['a', address];
}

/** The number of the first item of a list; undefined for a list without numbers. */
export function firstNumber({ tag, attributes }: Element): number | undefined {
  return tag === 'ol' ? (wholeNumber(attributes.start) ?? 1) : undefined;
}

/** The number that an item of a list gives itself. */
export function ownNumber({ attributes }: Element): number | undefined {
  return wholeNumber(attributes.value);
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}

const languageClass =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|sourceCode\s+)([\w+#.-]{1,20})(?=\s|;|$)/i;
/** Classes that say how code looks, or that it is code. */
const noLanguage = new Set(['default', 'none', 'text', 'plaintext', 'code', 'notranslate', 'source']);

/** The language of preformatted text by the classes that highlighters write; empty if it has none. */
export function languageOf(pre: Element): string {
  const child = pre.children.find((each): each is Element => typeof each !== 'string' && each.tag === 'code');
  for (const element of [child, pre, pre.parent, pre.parent?.parent]) {
    if (!element) continue;
    const {
      class: names = '',
      'data-lang': data,
      'data-language': language = data,
      lang,
    } = element.attributes;
    const name = language ?? languageClass.exec(names)?.[1] ?? (element === child ? lang : undefined);
    const found = name?.toLowerCase().replace(/[^\w+#.-]/g, '') ?? '';
    if (found !== '' && !noLanguage.has(found)) return found;
  }
  return '';
}
