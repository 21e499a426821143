import { describe, expect, test } from 'vitest';
import { readableType } from '../../src/extract/media-type.ts';

const type = (content: string, contentType: string | null, url = 'https://x.example/page') =>
  readableType(Buffer.from(content, 'latin1'), contentType, url);

describe('readableType', () => {
  test.each([
    ['<p>x', 'text/html; charset=utf-8', 'html'],
    ['<html xmlns="http://www.w3.org/1999/xhtml">', 'application/xhtml+xml', 'xhtml'],
    [
      '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml">',
      'text/xml',
      'xhtml',
    ],
    ['<?xml version="1.0"?><rss>', 'application/xml', undefined],
    ['# Title', 'text/markdown', 'markdown'],
    ['plain', 'text/plain', 'text'],
    ['{"a":1}', 'application/json', undefined],
    ['\n  <!DOCTYPE html><html>', null, 'html'],
    ['just words', null, 'text'],
    ['just words', 'application/octet-stream', 'text'],
    ['\x00\x01\x02', null, undefined],
    ['\x89PNG\r\n\x1a\n', 'text/html', undefined],
    ['PK\x03\x04...', 'text/plain', undefined],
    ['RIFF and other words', 'text/plain', 'text'],
    ['RIFF\x10\x00\x00\x00WAVE', 'text/plain', undefined],
  ])('reads %j served as %s as %s', (content, contentType, expected) => {
    expect(type(content, contentType)).toBe(expected);
  });

  test('takes plain text at a Markdown URL for Markdown', () => {
    expect(type('# A', 'text/plain', 'https://x.example/README.md?raw=1')).toBe('markdown');
  });
});
