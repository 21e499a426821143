import { Parser } from 'htmlparser2';
import { oneLine } from '../text/line/one-line.ts';
import { truncate } from '../text/line/truncate.ts';

/** In UTF-16 units, as all lengths here. */
const maxTitle = 300;
const maxSnippet = 1000;
/** Only this much of a provider's text is processed: it is not trusted. */
const maxInput = 20_000;

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
  return clean(text, markup, maxTitle);
}

export function snippetOf(text: string, markup: Markup): string {
  return clean(text, markup, maxSnippet);
}

function clean(text: string, markup: Markup, maxLength: number): string {
  const plain = markup === 'html' ? textOfHtml(text) : text.slice(0, maxInput);
  return truncate(oneLine(plain), maxLength);
}
