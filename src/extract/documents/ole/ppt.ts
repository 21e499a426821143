import type { Reading } from '../../extracted.ts';
import { readingOf } from '../properties.ts';
import { RefusedDocument } from '../refused.ts';
import { createStructuredText, type StructuredText } from '../structured-text.ts';
import type { OleFile } from './ole.ts';
import { oleProperties } from './ole-properties.ts';
import { childRecordsOf, type PptRecord, recordAt, walkRecords } from './ppt-records.ts';

interface Run {
  readonly text: string;
  readonly kind: number;
}

/** Record types ([MS-PPT] 2.13.24). */
const types = {
  slide: 1006,
  notes: 1008,
  slideAtom: 1007,
  slidePersist: 1011,
  outlineReference: 3998,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  slideList: 4080,
  userEdit: 4085,
  persistDirectory: 6002,
  clientTextbox: 0xf00d,
} as const;
const encryptedToken = 0xf3d1c4df;
const titleKinds = new Set([0, 6]);
const bodyKinds = new Set([1, 5, 7, 8]);
const maxEdits = 1000;
/** Placeholders for a page number, a date or a footer. */
const furniture = /^[*\s]*$/;

/**
 * Reads a PowerPoint binary presentation ([MS-PPT]): its slides in the order of the show, each with its title, its other
 * text and the speaker's notes, without masters, headers and footers.
 */
export function readPpt(file: OleFile, page: { readonly url: string; readonly now: number }): Reading {
  const stream = file.read('PowerPoint Document');
  const user = file.read('Current User');
  if (stream === undefined) throw new RefusedDocument('damaged file');
  if (user !== undefined && user.length >= 20 && user.readUInt32LE(12) === encryptedToken)
    throw new RefusedDocument('encrypted');
  const text = createStructuredText();
  const title = writeSlides(stream, user, text) ?? writeAnyText(stream, text);
  return readingOf(text.finish(), oleProperties(file), { ...page, fileType: 'ppt', shownTitle: title });
}

/** Writes the slides by the slide list of the newest edit; undefined when its references are damaged. */
function writeSlides(stream: Buffer, user: Buffer | undefined, out: StructuredText): string | undefined {
  const objects = persistObjects(stream, user);
  const lists = objects && slideLists(stream, objects);
  if (objects === undefined || lists === undefined) return undefined;
  let title: string | undefined;
  for (const { persistId, runs } of lists.slides) {
    const slide = recordAt(stream, objects.byId.get(persistId) ?? -1);
    const shown = slide === undefined ? runs : slideRuns(stream, slide, runs);
    const own = shown.find(({ kind }) => titleKinds.has(kind))?.text;
    title ??= own;
    writeRuns(shown, out);
    const notes = slide === undefined ? undefined : lists.notes.get(notesIdOf(stream, slide));
    const notesRecord = recordAt(stream, notes === undefined ? -1 : (objects.byId.get(notes) ?? -1));
    if (notesRecord !== undefined)
      for (const { text } of slideRuns(stream, notesRecord, []))
        if (!furniture.test(text)) out.paragraph(text);
  }
  return title ?? '';
}

function writeRuns(runs: readonly Run[], out: StructuredText): void {
  const isTitle = ({ kind }: Run) => titleKinds.has(kind);
  for (const { text } of runs.filter(isTitle)) out.heading(text);
  for (const run of runs) {
    if (isTitle(run) || furniture.test(run.text)) continue;
    for (const paragraph of run.text.split('\r')) {
      if (bodyKinds.has(run.kind)) out.item(paragraph);
      else out.paragraph(paragraph);
    }
  }
}

/** Offsets of the newest version of each object ([MS-PPT] 2.1.2): user edits form a chain, the newest first. */
function persistObjects(
  stream: Buffer,
  user: Buffer | undefined,
): { byId: Map<number, number>; documentId: number } | undefined {
  const byId = new Map<number, number>();
  let documentId = 0;
  let offset = user !== undefined && user.length >= 20 ? user.readUInt32LE(16) : -1;
  for (let edits = 0; edits < maxEdits; edits++) {
    const edit = recordAt(stream, offset);
    if (edit?.type !== types.userEdit || edit.length < 20) break;
    if (edits === 0) documentId = stream.readUInt32LE(edit.from + 16);
    const directory = recordAt(stream, stream.readUInt32LE(edit.from + 12));
    if (directory?.type === types.persistDirectory) readDirectory(stream, directory, byId);
    offset = stream.readUInt32LE(edit.from + 8);
    if (offset === 0) break;
  }
  return byId.size === 0 ? undefined : { byId, documentId };
}

function readDirectory(stream: Buffer, { from, length }: PptRecord, byId: Map<number, number>): void {
  const until = from + length;
  for (let offset = from; offset + 4 <= until; ) {
    const head = stream.readUInt32LE(offset);
    const first = head & 0xfffff;
    const count = head >>> 20;
    offset += 4;
    for (let index = 0; index < count && offset + 4 <= until; index++, offset += 4)
      if (!byId.has(first + index)) byId.set(first + index, stream.readUInt32LE(offset));
  }
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a walk over nested records, a case for each type
function slideLists(
  stream: Buffer,
  { byId, documentId }: { byId: ReadonlyMap<number, number>; documentId: number },
): { slides: { persistId: number; runs: Run[] }[]; notes: Map<number, number> } | undefined {
  const document = recordAt(stream, byId.get(documentId) ?? -1);
  if (document === undefined) return undefined;
  const slides: { persistId: number; runs: Run[] }[] = [];
  const notes = new Map<number, number>();
  for (const list of childRecordsOf(stream, document)) {
    if (list.type !== types.slideList) continue;
    let kind = 4;
    for (const record of childRecordsOf(stream, list)) {
      if (record.type === types.slidePersist && record.length >= 16) {
        const persistId = stream.readUInt32LE(record.from);
        if (list.instance === 0) slides.push({ persistId, runs: [] });
        if (list.instance === 2) notes.set(stream.readUInt32LE(record.from + 12), persistId);
      } else if (record.type === types.textHeader) kind = kindOf(stream, record);
      const text = textOf(stream, record);
      if (text !== undefined && list.instance === 0) slides.at(-1)?.runs.push({ text, kind });
    }
  }
  return { slides, notes };
}

/** The runs of a slide in drawing order; a box may refer to text at the slide's entry in the list. */
function slideRuns(stream: Buffer, slide: PptRecord, listed: readonly Run[]): Run[] {
  const runs: Run[] = [];
  let kind = 4;
  let used = 0;
  walkRecords(stream, slide, (record) => {
    if (record.type === types.textHeader) kind = kindOf(stream, record);
    else if (record.type === types.outlineReference && record.length >= 4) {
      const run = listed[stream.readUInt32LE(record.from)];
      if (run !== undefined) {
        runs.push(run);
        used++;
      }
    }
    const text = textOf(stream, record);
    if (text !== undefined) runs.push({ text, kind });
  });
  return used === 0 ? [...listed, ...runs] : runs;
}

function notesIdOf(stream: Buffer, slide: PptRecord): number {
  const atom = childRecordsOf(stream, slide).find(({ type }) => type === types.slideAtom);
  return atom !== undefined && atom.length >= 20 ? stream.readUInt32LE(atom.from + 16) : 0;
}

function kindOf(stream: Buffer, { from, length }: PptRecord): number {
  return length >= 4 ? stream.readUInt32LE(from) : 4;
}

function textOf(stream: Buffer, { type, from, length }: PptRecord): string | undefined {
  if (type === types.textChars) return stream.toString('utf16le', from, from + length);
  return type === types.textBytes ? stream.toString('latin1', from, from + length) : undefined;
}

/** Writes all text of a file with damaged lists, in stored order. */
function writeAnyText(stream: Buffer, out: StructuredText): undefined {
  const all: PptRecord = { type: 0, instance: 0, from: 0, length: stream.length, isContainer: true };
  walkRecords(stream, all, (record) => {
    const text = textOf(stream, record);
    if (text !== undefined && !furniture.test(text)) for (const line of text.split('\r')) out.paragraph(line);
  });
}
