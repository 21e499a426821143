import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findChromium } from '../../../src/crawl/render/find-chromium.ts';
import { createRenderer } from '../../../src/crawl/render/renderer.ts';
import { openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openCrawler } from '../rig.ts';

const shell = '<title>App</title><div id="root"></div><script src="/app.js"></script>';

/** A program of this name, which says something and ends. */
function program(name: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, '#!/bin/sh\nexit 3\n');
  chmodSync(path, 0o755);
  return path;
}

describe('without a browser that works', () => {
  test.each([
    [
      'no program at the path',
      () => '/nowhere/chromium',
      /GLEANER_CHROMIUM: there is no program at \/nowhere\/chromium/,
    ],
    [
      'a program that is no browser',
      () => program('chromium'),
      /GLEANER_RENDER=auto: pages drawn by scripts are left out, because /,
    ],
  ])('%s: the outcome is as before, and the operator is told once', async (_, chromium, message) => {
    const site = await openSite({ '/robots.txt': '' }, { fallback: shell });
    const notices: string[] = [];
    const { visitor } = openCrawler({
      renderer: (partsOf) =>
        createRenderer({
          chromium: chromium(),
          path: process.env.PATH ?? '',
          partsOf,
          onNotice: (text) => notices.push(text),
        }),
    });
    for (const path of ['/a', '/b'])
      expect((await visitor.visit(site.url(path))).visit).toMatchObject({
        kind: 'never',
        why: 'drawn by scripts',
      });
    expect(notices).toEqual([expect.stringMatching(message)]);
  });

  test('a browser is found by its usual names in the path, and nothing else is', () => {
    const path = program('google-chrome');
    expect(findChromium(`/nowhere:${join(path, '..')}`, 'linux')).toBe(path);
    expect(findChromium(join(program('firefox'), '..'), 'linux')).toBeUndefined();
  });
});
