import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { createPdfReader } from '../../src/extract/documents/index.ts';
import { createFileExtractor } from '../../src/extract/file-extractor.ts';
import {
  docx,
  officeFile,
  pdfOf,
  streamObject,
  wordParagraph,
  zipOf,
} from '../../test/extract/documents/build-files.ts';
import { table } from './tables.ts';

const megabyte = 1024 * 1024;
const pollMs = 10;

const cases: Readonly<Record<string, () => Uint8Array>> = {
  'docx, a part of 300 MB': () => docx('', { 'word/document.xml': Buffer.alloc(300 * megabyte, ' ') }),
  'docx, 60 MB of paragraphs': () => docx(wordParagraph('heron').repeat(900_000)),
  'xlsx, 3 million rows': () =>
    officeFile('xl', {
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="s.xml"/></Relationships>',
      'xl/s.xml': `<sheetData>${'<row><c><v>1</v></c></row>'.repeat(3_000_000)}</sheetData>`,
    }),
  'odt, 100,000 elements deep': () =>
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '<text:span>'.repeat(100_000),
    }),
  'rtf, 20 MB of groups': () => Buffer.from(`{\\rtf1 ${'{a}'.repeat(7 * megabyte)}`),
  'PDF, a stream of 500 MB': () => onePage(Buffer.alloc(500 * megabyte, 'q Q ')),
  'PDF, 4 million operators': () => onePage(Buffer.from('BT /F1 9 Tf (x) Tj ET\n'.repeat(1_000_000))),
  'PDF, 100,000 pages': manyPages,
};

/** What hostile files cost: outcome, time, and the peak of memory here and in the process that reads PDFs. */
export async function hostileTable(): Promise<string> {
  const reader = createPdfReader();
  const extract = createFileExtractor({
    detectLanguage: () => 'und',
    now: () => Date.UTC(2026, 10, 20),
    readPdf: reader.read,
  });
  const rows: (string | number)[][] = [];
  try {
    for (const [name, build] of Object.entries(cases)) {
      const bytes = build();
      const before = process.memoryUsage.rss();
      const peaks = watchMemory();
      const from = performance.now();
      const read = await extract({ url: 'https://files.example/file', bytes, contentType: null });
      const seconds = (performance.now() - from) / 1000;
      const { own, child } = peaks();
      rows.push([
        name,
        (bytes.length / megabyte).toFixed(1),
        read.kind === 'page' ? `read, ${read.page.body.length.toLocaleString('en')} characters` : read.why,
        seconds.toFixed(2),
        Math.max(0, (own - before) / megabyte).toFixed(0),
        child === 0 ? '' : (child / megabyte).toFixed(0),
      ]);
    }
  } finally {
    await reader.close();
  }
  return table(['file', 'MB', 'outcome', 'seconds', 'MB more here', 'MB of the PDF process'], rows);
}

function onePage(content: Uint8Array): Uint8Array {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    streamObject('/Filter /FlateDecode', deflateSync(content)),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< >>',
  ]);
}

function manyPages(): Uint8Array {
  const count = 100_000;
  const pages = Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>');
  const kids = pages.map((_, at) => `${at + 3} 0 R`).join(' ');
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    ...pages,
    '<< >>',
  ]);
}

/** Peaks of memory while it runs: of this process, and of its children where Linux tells (proc(5)). */
function watchMemory(): () => { own: number; child: number } {
  let own = 0;
  let child = 0;
  const look = () => {
    own = Math.max(own, process.memoryUsage.rss());
    try {
      const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim();
      for (const pid of children === '' ? [] : children.split(' ')) {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        child = Math.max(child, Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024);
      }
    } catch {
      // The process ended while it was looked at, or this is not Linux.
    }
  };
  const timer = setInterval(look, pollMs);
  return () => {
    look();
    clearInterval(timer);
    return { own, child };
  };
}
