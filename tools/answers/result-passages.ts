import type { Engine } from '../../src/engine/engine.ts';
import { maxAnswerChars, maxAnswerTokens, type Size, sizeOf } from '../answer-size.ts';
import { visibleText } from '../visible-text.ts';

/** In UTF-16 units, all passages of a result together: as long as two results without passages. */
const maxCharsOfResult = 1600;

interface ResultPassage {
  readonly start: number;
  readonly text: string;
}

interface PassagesOptions {
  readonly q: string;
  readonly count: number;
  /** The answer without passages, as JSON. */
  readonly answer: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The best passages of each local result, for as long as the answer has room, in the order of the results; none for a page
 * that cannot be read. Each is what `find` of `fetch_content` gives for the words of `q`.
 */
export async function passagesOfResults(
  engine: Pick<Engine, 'content'>,
  ids: readonly string[],
  { q, count, answer, signal }: PassagesOptions,
): Promise<Map<string, ResultPassage[]>> {
  const [{ passagesIn }, { plainWords }] = await Promise.all([
    import('./passages-in.ts'),
    import('../../src/engine/plain-words.ts'),
  ]);
  const used = sizeOf(answer);
  let room: Size = { chars: maxAnswerChars - used.chars, tokens: maxAnswerTokens - used.tokens };
  const words = plainWords(q);
  const found = new Map<string, ResultPassage[]>();
  for (const id of ids) {
    const record = await engine.content(id, { ...(signal && { signal }) }).catch(() => undefined);
    signal?.throwIfAborted();
    if (record === undefined) continue;
    const source = { ...record, body: visibleText(record.body_text) };
    const limits = { words, start: 0, max_chars: maxCharsOfResult, max: room, count };
    const passages = passagesIn(source, limits);
    const size = sizeOf(JSON.stringify(passages));
    room = { chars: room.chars - size.chars, tokens: room.tokens - size.tokens };
    if (room.chars < 0 || room.tokens < 0) break;
    found.set(id, passages);
  }
  return found;
}
