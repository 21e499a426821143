import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildSegment } from '../../../src/index/segment/build/builder.ts';
import { fileTypes } from '../../../src/index/segment/columns.ts';
import { sectionKinds } from '../../../src/index/segment/format.ts';
import { examplePage } from '../../pages.ts';

const docs = readFileSync(new URL('../../../docs/segment-format.md', import.meta.url), 'utf8');
const rows = [...docs.matchAll(/^\| (\d+) \| (\w+) \| (\w+) \|[^|]*\| (.*) \|$/gm)];

test('docs/segment-format.md lists the sections as they are', () => {
  const written = Object.entries(sectionKinds).map(([name, { name: kind }], at) => [
    String(at + 1),
    name,
    kind.replace('Array', '').toLowerCase(),
  ]);
  expect(rows.map(([, number, name, kind]) => [number, name, kind])).toEqual(written);
});

test('docs/segment-format.md lists the file types as they are', () => {
  const told = rows.find(([, , name]) => name === 'fileTypes')?.[4];
  expect(told).toBe(fileTypes.map((type, number) => `${type} ${number}`).join(', '));
});

test('a file can be read by what docs/segment-format.md says', () => {
  const pages = ['a', 'b'].map((name) =>
    examplePage({ url: `https://docs.example.org/${name}`, title: name, body: 'leaf', crawledAt: 5 }),
  );
  const file = Buffer.from(buildSegment(pages, { averageLengths: [1, 2, 3, 4] }));
  expect(file.toString('ascii', 0, 8)).toBe('GLEANSEG');
  expect(file.readUInt32LE(16)).toBe(file.length);
  const table = file.subarray(24, 24 + 22 * 16);
  expect(file.readUInt32LE(20)).toBe(crc32(table, crc32(file.subarray(0, 20))));
  const sections = new Map(
    rows.map(([, , name], at) => {
      const [number, start, length] = [0, 4, 8].map((field) => table.readUInt32LE(16 * at + field));
      expect([number, (start as number) % 8]).toEqual([at + 1, 0]);
      return [name, file.subarray(start, (start as number) + (length as number))];
    }),
  );
  const section = (name: string): Buffer => sections.get(name) as Buffer;
  expect([0, 8, 16, 24].map((at) => section('averageLengths').readDoubleLE(at))).toEqual([1, 2, 3, 4]);
  expect(section('hostText').toString()).toBe('gro.elpmaxe.scod');
  expect(section('pathText').toString()).toMatch(/^(\/a\/b|\/b\/a)$/);
  expect(section('crawlTimes').readDoubleLE(8)).toBe(5);
  const termOffsets = section('termOffsets');
  const terms = Array.from({ length: termOffsets.length / 4 - 1 }, (_, at) =>
    section('termText').toString(
      'utf8',
      termOffsets.readUInt32LE(4 * at),
      termOffsets.readUInt32LE(4 * at + 4),
    ),
  );
  const leaf = terms.indexOf('leaf');
  const start = section('postingOffsets').readUInt32LE(4 * leaf);
  expect(section('postingOffsets').readUInt32LE(4 * leaf + 4)).toBe(start + 2);
  expect([0, 1].map((at) => section('postingPages').readUInt16LE(2 * (start + at)))).toEqual([0, 1]);
  expect(terms[section('termStems').readUInt32LE(4 * leaf)]).toBe('~leaf');
});
