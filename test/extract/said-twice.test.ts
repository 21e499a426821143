import { expect, test } from 'vitest';
import { prose, readPage } from './extractor.ts';

const copied =
  '<p>The heron stands still for an hour and more before it strikes at a fish.</p><p>Then it swallows the fish whole, head first, and stands still for another hour.</p>';
const countOf = (text: string, part: string) => text.split(part).length - 1;
const read = (body: string, url?: string) =>
  readPage(`<html><body><main>${prose()}${body}</main></body></html>`, { ...(url && { url }) }).body;

test('a block that repeats an earlier one is left out', () => {
  const body = read(
    `<div class="desktop">${copied}</div><p>Between them.</p><div class="mobile">${copied}</div>`,
  );
  expect(countOf(body, 'The heron stands still')).toBe(1);
  expect(countOf(body, 'swallows the fish whole')).toBe(1);
  expect(body).toContain('Between them.');
});

test('a single line may repeat for each item, and so may short lines, code and tables', () => {
  const line = 'The offer is valid on reservations that include at least one flight and one hotel.';
  const items = `<div><h3>Rome</h3><p>Three nights beside the river, with breakfast and a walk.</p><p>${line}</p></div>
    <div><h3>Oslo</h3><p>Two nights in the old town, with a boat to the islands.</p><p>${line}</p></div>`;
  expect(countOf(read(items), line)).toBe(2);
  expect(countOf(read('<p>Add to list</p><p>Add to list</p>'), 'Add to list')).toBe(2);
  const code = '<pre>for each of the ten words in this line of code, say it again</pre>';
  expect(countOf(read(code + code), 'say it again')).toBe(2);
});

test('on a forum a line that quotes an earlier post is left out', () => {
  const line = 'The heron stands still for an hour and more before it strikes at a fish.';
  const thread = `<div><p>${line}</p></div><div><blockquote><p>${line}</p></blockquote><p>I have seen it strike sooner.</p></div>`;
  const body = read(thread, 'https://forum.example.org/t/herons/7');
  expect(countOf(body, line)).toBe(1);
  expect(body).toContain('I have seen it strike sooner.');
});
