import { join } from 'node:path';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { openSegmentFile } from '../../src/index/packed/segment-bytes.ts';
import { readSections, type Sections } from '../../src/index/segment/format.ts';

/** Sections of like use, in the order of the table; a section belongs to the first row that names it. */
const uses = [
  ['dictionary', /^(term|stem|posting(Counts|Starts|Offsets)|title)/],
  ['page numbers in lists', /^(postingPages|longLists|longPages)$/],
  ['impacts', /^impacts$/],
  ['positions', /^position/],
  ['texts', /^pageText/],
  ['other marks', /^(pageMark|origin|siteName)/],
  ['columns of the pages', /./],
] as const;

/** A table of the bytes a page by the use of the sections, of all segments of an index. Reads them whole, and does not change them. */
export function sectionSizes(indexFolder: string): string {
  const sizes = new Map<string, number>();
  let pages = 0;
  let terms = 0;
  for (const { file } of readManifest(indexFolder)?.segments ?? []) {
    const sections = readSections(openSegmentFile(join(indexFolder, file)).buffer);
    if (typeof sections === 'string') throw new Error(`${file}: ${sections}`);
    pages += sections.crawlTimes.length;
    terms += (sections.terms.kind === 'compact' ? sections.terms.termTags : sections.terms.termHashes).length;
    for (const [name, bytes] of byteLengths(sections)) {
      const use = uses.find(([, names]) => names.test(name))?.[0] ?? name;
      sizes.set(use, (sizes.get(use) ?? 0) + bytes);
    }
  }
  const count = (number: number): string => number.toLocaleString('en');
  return [
    `${count(pages)} pages, ${count(terms)} terms.`,
    '',
    '| sections | bytes a page |',
    '|---|--:|',
    ...uses.map(([use]) => `| ${use} | ${((sizes.get(use) ?? 0) / pages).toFixed(0)} |`),
  ].join('\n');
}

function byteLengths({ terms, marks, ...others }: Sections): [name: string, bytes: number][] {
  return Object.entries({ ...others, ...terms, ...marks }).flatMap(([name, section]) =>
    typeof section === 'object' ? [[name, section.byteLength]] : [],
  );
}
