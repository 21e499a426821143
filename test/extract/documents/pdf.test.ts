import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPdfReader, type PdfReaderOptions } from '../../../src/extract/documents/pdf/pdf-reader.ts';
import { createFileExtractor } from '../../../src/extract/file-extractor.ts';
import { pdf, pdfOf, streamObject } from './build-files.ts';
import { now } from './read.ts';

function openReader(options: PdfReaderOptions = {}) {
  const reader = createPdfReader(options);
  onTestFinished(reader.close);
  const extract = createFileExtractor({
    detectLanguage: (_, declared) => declared ?? 'und',
    now: () => now,
    readPdf: reader.read,
  });
  const read = async (bytes: Uint8Array) => {
    const extraction = await extract({ url: 'https://x.example/report.pdf', bytes, contentType: null });
    return extraction.kind === 'page' ? extraction.page : extraction.why;
  };
  return { read, reader };
}

/** A PDF whose only page unpacks to this much of one operator. */
function bomb(megabytes: number, operator = 'q Q '): Uint8Array {
  const content = Buffer.alloc(megabytes * 1024 * 1024, operator);
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>',
    streamObject('/Filter /FlateDecode', deflateSync(content)),
    '<< >>',
  ]);
}

test('a PDF gives its lines as paragraphs, its large letters as headings, and its properties', async () => {
  const { read } = openReader();
  const info = "/Title (Heron report) /Author (Ada Byron) /CreationDate (D:20240305101500+01'00')";
  const page = await read(
    pdf(['Herons', 'The heron stands still for an hour, and then it hunt-', 'ed a frog.'], info),
  );
  expect(page).toMatchObject({
    fileType: 'pdf',
    title: 'Heron report',
    author: 'Ada Byron',
    headings: 'Herons',
    body: 'Herons\n\nThe heron stands still for an hour, and then it hunted a frog.',
    publishedAt: Date.UTC(2024, 2, 5, 9, 15),
  });
});

test('without a title of its own, the largest letters of its first page are it', async () => {
  const page = await openReader().read(
    pdf(['Herons', 'A line of text that is longer.'], '/Title (untitled)'),
  );
  expect(page).toMatchObject({ title: 'Herons' });
});

test('Chinese without a table of its own is read by the character maps', async () => {
  const hex = Buffer.from('数据库优化', 'utf16le').swap16().toString('hex');
  const page = await openReader().read(
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      streamObject('', `BT /F1 11 Tf 72 700 Td <${hex}> Tj ET`),
      '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>',
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 7 0 R >>',
      '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 900 /Descent -100 /CapHeight 700 /StemV 80 >>',
      '<< >>',
    ]),
  );
  expect(page).toMatchObject({ body: '数据库优化' });
});

test('a PDF behind some other bytes, as mail programs and servers put them, is still one', async () => {
  const late = Buffer.concat([Buffer.from('\xef\xbb\xbf\r\n', 'latin1'), pdf(['Herons'], '')]);
  expect(await openReader().read(late)).toMatchObject({ fileType: 'pdf', body: 'Herons' });
});

test('one process reads one document after the other', async () => {
  const { read } = openReader();
  const pages = await Promise.all(['One', 'Two', 'Three'].map((title) => read(pdf([title], ''))));
  expect(pages.map((page) => typeof page !== 'string' && page.body)).toEqual(['One', 'Two', 'Three']);
});

test('damage and locks have their names', async () => {
  const { read } = openReader();
  const whole = pdf(['Herons']);
  expect(await read(Buffer.from('%PDF-1.4\nnothing'))).toBe('damaged file');
  expect(await read(whole.subarray(0, 200))).toBe('damaged file');
  const locked = Buffer.from(
    Buffer.from(whole)
      .toString('latin1')
      .replace(
        '/Root 1 0 R',
        `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >> /ID [<01><02>] /Root 1 0 R`,
      ),
    'latin1',
  );
  expect(await read(locked)).toBe('encrypted');
});

test('a bomb costs no more than the cap, and the next document is read', async () => {
  const { read } = openReader({ maxResidentMB: 200 });
  expect(await read(bomb(400))).toBe('takes too much memory');
  expect(await read(pdf(['After the bomb'], ''))).toMatchObject({ body: 'After the bomb' });
});

test('a document that works for too long is given up by its processor time, and the next one is read', async () => {
  const slow = openReader({ maxCpuMs: 1 });
  expect(await slow.read(bomb(20))).toBe('takes too long');
  expect(await slow.read(bomb(20))).toBe('takes too long');
  expect(await openReader().read(pdf(['Later'], ''))).toMatchObject({ body: 'Later' });
});

describe.skipIf(process.platform === 'win32')('a reader that is stopped from outside', () => {
  test('and goes on after longer than its processor time still reads', { timeout: 60_000 }, async () => {
    const maxCpuMs = 4000;
    const { read } = openReader({ maxCpuMs });
    await read(pdf(['Warm'], ''));
    const pid = readerProcess();
    process.kill(pid, 'SIGSTOP');
    const page = read(pdf(['Patience'], ''));
    await sleep(maxCpuMs + 1000);
    process.kill(pid, 'SIGCONT');
    expect(await page).toMatchObject({ body: 'Patience' });
  });

  test('and hangs without using the processor is given up by the clock', async () => {
    const { read } = openReader({ maxWallMs: 5000 });
    expect(await read(pdf(['Warm'], ''))).toMatchObject({ body: 'Warm' });
    process.kill(readerProcess(), 'SIGSTOP');
    expect(await read(pdf(['Never'], ''))).toBe('takes too long');
    expect(await read(pdf(['Next'], ''))).toMatchObject({ body: 'Next' });
  });
});

/** The youngest process below this one that reads PDFs. */
function readerProcess(): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const pids = lines.flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(parent) === process.pid && command.includes('pdf-child') ? [Number(pid)] : [];
  });
  return Math.max(...pids);
}

test('closing ends what is under way, and refuses what comes after', async () => {
  const { read, reader } = openReader();
  const under = read(bomb(20));
  await reader.close();
  expect(await under).toBe('reader failed');
  expect(await read(pdf(['x']))).toBe('reader failed');
});

test('the process can be started from a worker thread', async () => {
  const reader = new URL('../../../dist/src/extract/documents/pdf/pdf-reader.js', import.meta.url).href;
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(workerData.reader).then(async ({ createPdfReader }) => {
       const reader = createPdfReader();
       parentPort.postMessage(await reader.read(workerData.bytes));
       await reader.close();
     });`,
    { eval: true, workerData: { reader, bytes: pdf(['In a thread'], '') } },
  );
  onTestFinished(() => void worker.terminate());
  const outcome = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  expect(outcome).toMatchObject({ kind: 'read', text: { body: 'In a thread' } });
});

test('what was typed into a form and notes on the page are read', async () => {
  const { read } = openReader();
  const content = 'BT /F1 11 Tf 72 700 Td (Name of the heron:) Tj ET';
  const page = await read(
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R 7 0 R] /Resources << /Font << /F1 5 0 R >> >> >>',
      streamObject('', content),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada the Grey) /Rect [200 690 300 710] >>',
      '<< /Type /Annot /Subtype /FreeText /Contents (Seen at dawn.) /Rect [72 600 300 620] /DA (/F1 11 Tf) >>',
      '<< >>',
    ]),
  );
  expect(page).toMatchObject({ body: expect.stringContaining('Ada the Grey') });
  expect(page).toMatchObject({ body: expect.stringContaining('Seen at dawn.') });
});

test('a PDF whose letters have no characters is refused as such', async () => {
  const { read } = openReader();
  const codes = Array.from({ length: 60 }, (_, n) => (n + 0x21).toString(16).padStart(4, '0')).join('');
  const map = Array.from({ length: 60 }, (_, n) => {
    const code = (n + 0x21).toString(16).padStart(4, '0');
    return `<${code}> <${(0xe000 + n).toString(16)}>`;
  }).join('\n');
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <0000> <ffff> endcodespacerange 60 beginbfchar\n${map}\nendbfchar endcmap end end`;
  expect(
    await read(
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
        streamObject('', `BT /F1 11 Tf 72 700 Td <${codes}> Tj ET`),
        '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
        '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
        streamObject('', cmap),
        '<< >>',
      ]),
    ),
  ).toBe('unreadable fonts');
});
