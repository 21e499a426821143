import { crc32, deflateRawSync } from 'node:zlib';

type Parts = Readonly<Record<string, string | Uint8Array>>;

/** A ZIP archive of deflated parts, in their order. */
export function zipOf(parts: Parts): Uint8Array {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(checksum(bytes), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(bytes.length, 22);
    head.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 6);
    head.copy(entry, 8, 6, 28);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(offset, 42);
    local.push(head, Buffer.from(name), packed);
    central.push(entry, Buffer.from(name));
    offset += head.length + Buffer.byteLength(name) + packed.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

/** `crc32` came to zlib with Node 20.15 and 22.2; nobody here reads the checksum. */
function checksum(bytes: Uint8Array): number {
  return typeof crc32 === 'function' ? crc32(bytes) : 0;
}

const officeTypes = { word: 'document', ppt: 'presentation', xl: 'workbook' };

/** An Office Open XML package: the parts, and what makes their main one found. */
export function officeFile(kind: keyof typeof officeTypes, parts: Parts): Uint8Array {
  const target = `${kind}/${officeTypes[kind]}.xml`;
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations([['rId1', 'officeDocument', target]]),
    ...parts,
  });
}

export function relations(entries: readonly (readonly [id: string, type: string, target: string])[]): string {
  const all = entries.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${all.join('')}</Relationships>`;
}

/** A docx whose body is this WordprocessingML. */
export function docx(body: string, parts: Parts = {}): Uint8Array {
  return officeFile('word', {
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

export const wordParagraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const coreXml = (fields: string) =>
  `<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t">${fields}</cp:coreProperties>`;

/** A PDF of one page in Helvetica, a line of text each, the first one large. */
export function pdf(lines: readonly string[], info = '/Title (Report)'): Uint8Array {
  const shown = lines.map((line, at) => {
    const size = at === 0 ? 24 : 11;
    return `BT /F1 ${size} Tf 72 ${740 - at * 14 - (at === 0 ? 0 : 30)} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`;
  });
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    streamObject('', shown.join('\n')),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< ${info} >>`,
  ]);
}

export function streamObject(dictionary: string, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${dictionary} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** A PDF of these objects, numbered from 1: the catalog first, the information last. */
export function pdfOf(objects: readonly (string | Uint8Array)[]): Uint8Array {
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\n', 'latin1')];
  const offsets: number[] = [];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [at, object] of objects.entries()) {
    offsets.push(length());
    parts.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'));
  }
  const from = length();
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${from}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const sector = 512;
const endOfChain = 0xfffffffe;

/** An OLE compound file with these streams in its root, all of them in whole sectors. */
export function oleOf(streams: Parts): Uint8Array {
  const contents = Object.entries(streams).map(([name, content]) => ({ name, bytes: Buffer.from(content) }));
  const directorySectors = Math.ceil((contents.length + 1) / 4);
  const table: number[] = [0xfffffffd];
  const chain = (count: number): number => {
    const start = table.length;
    for (let at = 1; at <= count; at++) table.push(at === count ? endOfChain : start + at);
    return start;
  };
  const directoryStart = chain(directorySectors);
  const directory = Buffer.alloc(directorySectors * sector);
  const entry = (
    at: number,
    name: string,
    type: number,
    fields: { child?: number; right?: number; start?: number; size?: number },
  ) => {
    const base = at * 128;
    directory.write(name, base, 'utf16le');
    directory.writeUInt16LE((name.length + 1) * 2, base + 64);
    directory[base + 66] = type;
    directory.writeUInt32LE(0xffffffff, base + 68);
    directory.writeUInt32LE(fields.right ?? 0xffffffff, base + 72);
    directory.writeUInt32LE(fields.child ?? 0xffffffff, base + 76);
    directory.writeUInt32LE(fields.start ?? endOfChain, base + 116);
    directory.writeUInt32LE(fields.size ?? 0, base + 120);
  };
  entry(0, 'Root Entry', 5, { child: 1 });
  const data: Buffer[] = [];
  for (const [at, { name, bytes }] of contents.entries()) {
    const count = Math.max(1, Math.ceil(bytes.length / sector));
    const start = chain(count);
    const right = at + 1 < contents.length ? at + 2 : 0xffffffff;
    entry(at + 1, name, 2, { right, start, size: bytes.length });
    data.push(Buffer.concat([bytes, Buffer.alloc(count * sector - bytes.length)]));
  }
  const tableSector = Buffer.alloc(sector, 0xff);
  for (const [at, next] of table.entries()) tableSector.writeUInt32LE(next >>> 0, at * 4);
  const header = Buffer.alloc(sector, 0xff);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(9, 0x1e);
  header.writeUInt16LE(6, 0x20);
  header.writeUInt32LE(1, 0x2c);
  header.writeUInt32LE(directoryStart, 0x30);
  header.writeUInt32LE(0, 0x38);
  header.writeUInt32LE(endOfChain, 0x3c);
  header.writeUInt32LE(0, 0x40);
  header.writeUInt32LE(endOfChain, 0x44);
  header.writeUInt32LE(0, 0x48);
  header.writeUInt32LE(0, 0x4c);
  return Buffer.concat([header, tableSector, directory, ...data]);
}
