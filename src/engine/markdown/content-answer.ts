import { ContentRecord, type HttpContentRecord } from '../../contract/content.ts';
import type { Engine } from '../engine.ts';
import { markdownOf } from './markdown.ts';
import { outlineOf, unknownStructureNotice } from './outline.ts';

interface ContentRequest {
  readonly format: 'text' | 'markdown';
  readonly signal: AbortSignal;
}

/** The content record of a page, as the contract has it; in Markdown with its headings. Throws as `Engine.content`. */
export async function contentAnswer(
  engine: Pick<Engine, 'content'>,
  id: string,
  { format, signal }: ContentRequest,
): Promise<HttpContentRecord> {
  const found = await engine.content(id, { signal, structure: format === 'markdown' });
  const record = ContentRecord.parse(found);
  if (format === 'text') return record;
  const { structure } = found;
  if (structure === undefined) return { ...record, format, outline: [], notice: unknownStructureNotice };
  const body = record.body_text;
  const { text, headings } = markdownOf(body, structure, { start: 0, end: body.length });
  const outline = outlineOf(body, structure).map((entry, index) => ({
    ...entry,
    start: headings[index] ?? text.length,
  }));
  return { ...record, body_text: text, format, outline };
}
