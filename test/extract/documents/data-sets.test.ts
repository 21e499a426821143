import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createPdfReader } from '../../../src/extract/documents/index.ts';
import { createFileExtractor } from '../../../src/extract/file-extractor.ts';
import { dataSets } from '../../data-sets.ts';
import { now } from './read.ts';

const sets = dataSets('documents');
const outside = sets.filter(({ isOutside }) => isOutside);

function openExtractor(data: URL) {
  const reader = createPdfReader();
  onTestFinished(reader.close);
  const extract = createFileExtractor({
    detectLanguage: (_, declared) => declared ?? 'und',
    now: () => now,
    readPdf: reader.read,
  });
  return async (path: string) => {
    const bytes = readFileSync(new URL(path, data));
    return extract({ url: `https://x.example/${encodeURI(path)}`, bytes, contentType: null });
  };
}

test.each(outside)(
  "every one of Tika's documents is read, or refused by a name that fits its own",
  { timeout: 120_000 },
  async ({ folder: data }) => {
    const read = openExtractor(data);
    const refused = new Map<string, string>();
    for (const file of readdirSync(new URL('tika-all/', data))) {
      const extraction = await read(`tika-all/${file}`);
      if (extraction.kind === 'unreadable' && extraction.why !== 'no text') refused.set(file, extraction.why);
    }
    const by = (wanted: string) => [...refused].filter(([, why]) => why === wanted).map(([file]) => file);
    expect([...new Set(refused.values())].sort()).toEqual(['damaged file', 'encrypted']);
    const lock = /^password\.xls|protected(?:_normal|_upper|_passtika|_drm)|Encrypted|_owner_user|Password/;
    for (const file of by('encrypted')) expect(file).toMatch(lock);
    expect(by('encrypted').length).toBeGreaterThanOrEqual(16);
    // Two workbooks have the default password.
    for (const file of ['protect.xlsx', 'protectedFile.xlsx']) expect(refused.has(file)).toBe(false);
    // Cut off, not what they are called, Excel 4 and WordPerfect.
    expect(by('damaged file').sort()).toEqual([
      'testEXCEL_4.xls',
      'testODTnotaZipFile.odt',
      'testWORD_truncated.docx',
      'testWordPerfect_42.doc',
    ]);
  },
);

const notRead: Readonly<Record<string, readonly string[]>> = {
  'testRTFVarious.rtf': ['Here is a text box'],
  'testPDFVarious.pdf': ['𐌲𐌿𐍄𐌹𐍃𐌺'],
};

test.each(outside)('one text is the same in every format that Tika has it in', async ({ folder: data }) => {
  const read = openExtractor(data);
  const wanted = [
    'Here is a text box',
    'Bold italic underline',
    'Bullet 3',
    'Row 2 Col 3',
    'ゾルゲと尾崎、淡々と最期',
    '𐌲𐌿𐍄𐌹𐍃𐌺',
  ];
  for (const file of [
    'testWORD_various.doc',
    'testWORD_various.docx',
    'testRTFVarious.rtf',
    'testPPT_various.ppt',
    'testPPT_various.pptx',
    'testPDFVarious.pdf',
  ]) {
    const extraction = await read(`tika-all/${file}`);
    const body = extraction.kind === 'page' ? extraction.page.body : '';
    // The text box of the RTF is a drawing in a form that is not read; pdf.js misreads the PDF's Gothic letters.
    const missing = wanted.filter((text) => !body.includes(text));
    expect([file, missing]).toEqual([file, notRead[file] ?? []]);
  }
});

test.each(sets)('documents hold what is said to be in them: $name', async ({ folder, isOutside }) => {
  const data = isOutside ? new URL('markitdown/', folder) : folder;
  const read = openExtractor(data);
  for (const line of readFileSync(new URL('truth.jsonl', data), 'utf8').trim().split('\n')) {
    const { file, contains = [], why } = JSON.parse(line) as Truth;
    if (file.endsWith('.html')) continue;
    const extraction = await read(file);
    const body = extraction.kind === 'page' ? extraction.page.body : '';
    // Pictures and their descriptions are not read; case and marks are not judged.
    const missing = contains.filter(
      (text) => !/data:image|!\[|^44bf7d06/.test(text) && !fold(body).includes(fold(text)),
    );
    const refused = extraction.kind === 'page' ? undefined : extraction.why;
    expect([file, missing, refused]).toEqual([file, [], why]);
  }
});

/** What a document holds, or why it cannot be read. */
interface Truth {
  readonly file: string;
  readonly contains?: readonly string[];
  readonly why?: string;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
