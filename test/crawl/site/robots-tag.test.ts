import { expect, test } from 'vitest';
import { parseRobotsTag } from '../../../src/crawl/site/robots-tag.ts';

test.each([
  ['noindex', true, false],
  ['NoIndex, NoFollow', true, true],
  ['none', true, true],
  ['gleaner: noindex', true, false],
  ['otherbot: noindex, nofollow', false, false],
  ['otherbot: noindex\nnofollow', false, true],
  ['otherbot: noindex, gleaner: nofollow', false, true],
  ['unavailable_after: 25 Jun 2099 15:00:00 PST, noindex', true, false],
  ['max-snippet: 20, all', false, false],
  ['', false, false],
  [undefined, false, false],
])('%j: noindex %j, nofollow %j', (header, noindex, nofollow) => {
  expect(parseRobotsTag(header)).toEqual({ noindex, nofollow });
});
