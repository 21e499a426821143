import type { Engine } from '../../src/engine/engine.ts';
import { oneLine } from '../../src/text/line/one-line.ts';
import { truncate } from '../../src/text/line/truncate.ts';
import { fittingLength, maxAnswerChars, maxAnswerTokens, sizeOf } from '../answer-size.ts';
import { readRecord } from '../read-record.ts';
import type { CallOptions } from '../tool.ts';
import { visibleText } from '../visible-text.ts';
import { textWindow } from './text-window.ts';

const maxTitle = 300;
const maxAuthor = 200;
/** Room for field names and for the notice that the text is cut. */
const frameRoom = 300;

/** The answer of `fetch`. */
export async function answerDocument(engine: Engine, id: string, options: CallOptions) {
  const record = await readRecord(engine, { id, url: undefined }, options);
  const { author, published_at, crawled_at, lang, notice } = record;
  const head = {
    // The id by which the client asked: it takes the answer for that of its result.
    id,
    title: truncate(oneLine(record.title), maxTitle),
    url: record.url,
    metadata: {
      ...(author !== null && { author: truncate(oneLine(author), maxAuthor) }),
      ...(published_at !== null && { published_at }),
      crawled_at,
      lang,
      untrusted: 'title, author and text are quoted from the web',
      ...(notice !== undefined && { notice }),
    },
  };
  const body = visibleText(record.body_text);
  const overhead = sizeOf(JSON.stringify(head));
  const fitting = fittingLength(body, 0, {
    chars: maxAnswerChars - overhead.chars - frameRoom,
    tokens: maxAnswerTokens - overhead.tokens - frameRoom,
  });
  const { text } = textWindow(body, 0, fitting);
  const cut = `the first ${text.length} of ${body.length} characters`;
  const metadata = { ...head.metadata, ...(text.length < body.length && { cut }) };
  return { ...head, text, metadata };
}
