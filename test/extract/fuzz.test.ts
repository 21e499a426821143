import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dataSets } from '../data-sets.ts';
import { pageBytes } from '../page-bytes.ts';
import { extract } from './extractor.ts';

/** Where to damage a page, as shares of its length, and how. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(2000),
  kind: fc.constantFrom('cut', 'repeat', 'drop', 'noise', 'unclose'),
  noise: fc.uint8Array({ maxLength: 40 }),
});

test.each(dataSets('extraction'))(
  'pages, damaged at random, are read or refused, and never throw: $name',
  { timeout: 120_000 },
  ({ folder, isOutside }) => {
    const html = new URL(isOutside ? 'trafilatura/html/' : 'pages/html/', folder);
    const files = readdirSync(html).filter((_, at) => !isOutside || at % 25 === 0);
    const pages = files.map((file) => pageBytes(new URL(file, html)));
    fc.assert(
      fc.property(
        fc.constantFrom(...pages),
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        (page, damages) => {
          let bytes = Buffer.from(page);
          for (const { at, length, kind, noise } of damages) {
            const from = Math.floor(at * bytes.length);
            const [before, piece, after] = [
              bytes.subarray(0, from),
              bytes.subarray(from, from + length),
              bytes.subarray(from + length),
            ];
            if (kind === 'cut') bytes = Buffer.from(before);
            else if (kind === 'drop') bytes = Buffer.concat([before, after]);
            else if (kind === 'repeat')
              bytes = Buffer.concat([before, ...Array.from({ length: 50 }, () => piece), after]);
            else if (kind === 'noise') bytes = Buffer.concat([before, noise, after]);
            else bytes = Buffer.from(bytes.toString('latin1').replaceAll('</', '<'), 'latin1');
          }
          const extraction = extract({ url: 'https://x.example/', bytes, contentType: 'text/html' });
          if (extraction.kind === 'page')
            expect(extraction.page.body).not.toMatch(/[\u202a-\u202e\u{e0000}-\u{e007f}]/u);
          else
            expect([
              'no text',
              'undecodable',
              'unsupported type',
              'damaged file',
              'drawn by scripts',
            ]).toContain(extraction.why);
        },
      ),
      { numRuns: 60 },
    );
  },
);
