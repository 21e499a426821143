import { invalidParameters } from '../../src/contract/errors.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { outlineOf, unknownStructureNotice } from '../../src/engine/markdown/outline.ts';
import { oneLine } from '../../src/text/line/one-line.ts';
import { truncate } from '../../src/text/line/truncate.ts';
import { fittingLength, maxAnswerChars, maxAnswerTokens, sizeOf } from '../answer-size.ts';
import { ignoredNotice } from '../ignored-notice.ts';
import { readRecord } from '../read-record.ts';
import { visibleText } from '../visible-text.ts';
import type { AnswerOptions } from './answer-options.ts';
import { fittingOutline, markdownWindow } from './markdown-window.ts';
import { textWindow } from './text-window.ts';

/** Maximum tokens of a window per character of `max_chars`: text without spaces has more tokens. */
const tokensPerChar = 0.6;
/** A record with the longest URL, title and author still has room for text. */
const minTokens = 6000;
const maxTitle = 300;
const maxAuthor = 200;
/** Room for the fields that the answer adds to the record. */
const frameRoom = 200;

/** What is read, and how much of it. */
interface ContentAsked {
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly start: number;
  readonly max_chars: number;
  readonly format: 'text' | 'markdown' | 'outline';
  readonly find?: string | undefined;
}

/** The answer of `fetch_content`. */
export async function answerContent<Untrusted>(
  engine: Engine,
  { id, url, start, max_chars, format, find }: ContentAsked,
  options: AnswerOptions<Untrusted>,
) {
  const { untrusted, schema, ...callOptions } = options;
  const wanted = { ...callOptions, structure: format !== 'text' };
  const found = await readRecord(engine, { id, url }, wanted);
  const { body_text: stored, notice: older, structure: storedStructure, ...record } = found;
  const isIdIgnored = id && url && id !== url && id !== record.id;
  const body = visibleText(stored);
  // Offsets are into the visible text.
  const structure = body === stored ? storedStructure : undefined;
  const notice = [
    older,
    wanted.structure && structure === undefined ? unknownStructureNotice : undefined,
    isIdIgnored ? urlWasUsed : undefined,
    ignoredNotice(callOptions.ignored ?? [], schema),
  ]
    .filter((each) => each !== undefined)
    .join(' ');
  const total = body.length;
  if (start > 0 && start >= total) {
    throw invalidParameters([
      { parameter: 'start', message: `must be below ${total}, the length of this page's text` },
    ]);
  }
  const head = {
    untrusted,
    ...record,
    title: truncate(oneLine(record.title), maxTitle),
    author: record.author === null ? null : truncate(oneLine(record.author), maxAuthor),
    total_chars: total,
    ...(notice !== '' && { notice }),
  };
  const overhead = sizeOf(JSON.stringify(head));
  const max = {
    chars: maxAnswerChars - overhead.chars - frameRoom,
    tokens: Math.min(maxAnswerTokens, Math.max(minTokens, max_chars * tokensPerChar)) - overhead.tokens,
  };
  if (find) {
    // Loaded on first use: the tokenizer is slow to load, and clients wait for the start.
    const { passagesIn } = await import('./passages-in.ts');
    return { ...head, passages: passagesIn({ ...record, body }, { words: find, start, max_chars, max }) };
  }
  if (format === 'outline')
    return { ...head, outline: fittingOutline(structure ? outlineOf(body, structure) : [], max) };
  const { text, nextStart } =
    format === 'markdown' && structure !== undefined
      ? markdownWindow({ body, structure, start, max_chars, max })
      : textWindow(body, start, Math.min(max_chars, fittingLength(body, start, max)));
  return { ...head, body_text: text, ...(nextStart !== undefined && { next_start: nextStart }) };
}

const urlWasUsed = 'Both id and url were given: this is the page of the url, and the id was ignored.';
