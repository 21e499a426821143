import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from '../../src/text/page-address.ts';

const piece = fc.constantFrom(
  ...[
    'a',
    'Z',
    '9',
    '-',
    '_',
    '.',
    '..',
    '/',
    '//',
    '%20',
    '%2e',
    '%2E.',
    '?',
    '&b=1',
    '=',
    ':',
    '@',
    '~',
    '树',
    ' ',
    '#x',
  ],
  ...['"', "'", '<', '`', '\\', '[', '|', '^', '{'],
);
const host = fc.constantFrom(
  'a.example',
  'www.a-b.example',
  'A.Example',
  'a.example:8080',
  'a.example:80',
  '127.0.0.1',
  '0x7f.1',
  'localhost',
  'a.1',
  '树.example',
);
const url = fc
  .tuple(fc.constantFrom('http://', 'https://'), host, fc.array(piece, { maxLength: 8 }))
  .map(([scheme, name, path]) => `${scheme}${name}/${path.join('')}`)
  .filter((text) => URL.canParse(text));

test('the parts of an address are those of URL, canonical or not', () => {
  fc.assert(
    fc.property(url, (text) => {
      for (const each of [text, new URL(text).href]) {
        const { host, hostname, pathname, search } = new URL(each);
        expect(addressOf(each)).toMatchObject({ host, hostname, pathname, search });
      }
    }),
    { numRuns: 2000 },
  );
});
