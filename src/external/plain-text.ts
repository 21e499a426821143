import { Parser } from 'htmlparser2';

const maxTitle = 300;
const maxSnippet = 1000;
/** Nothing worth reading in a result is longer; what comes is not ours to trust. */
const maxInput = 20_000;
/** Control, format and tag characters (bidirectional marks, joiners, byte order marks) and halves of pairs. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const joiners = /[\u200c\u200d]/;

/** A provider's text as one plain line of at most `maxLength` code points, without what cannot be seen. */
function oneLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxInput)
    .replace(unseen, (character) => (joiners.test(character) ? character : /\s/.test(character) ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  const points = [...line];
  return points.length <= maxLength ? line : `${points.slice(0, maxLength - 1).join('')}…`;
}

/** The text of an HTML fragment: tags dropped, entities decoded. */
function textOfHtml(html: string): string {
  let text = '';
  const parser = new Parser({
    ontext: (piece) => {
      text += piece;
    },
    onopentag: (name) => {
      if (name === 'br' || name === 'p' || name === 'li') text += ' ';
    },
  });
  parser.end(html.slice(0, maxInput));
  return text;
}

/** The format of a provider's texts: plain text, or HTML with tags and entities. */
export type Markup = 'plain' | 'html';

export function titleOf(text: string, markup: Markup): string {
  return oneLine(markup === 'html' ? textOfHtml(text) : text, maxTitle);
}

export function snippetOf(text: string, markup: Markup): string {
  return oneLine(markup === 'html' ? textOfHtml(text) : text, maxSnippet);
}
