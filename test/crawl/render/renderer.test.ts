import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCrawler } from '../../../src/app/crawler.ts';
import { createCredentials } from '../../../src/crawl/credentials/credentials.ts';
import { findChromium } from '../../../src/crawl/render/find-chromium.ts';
import { createRenderer } from '../../../src/crawl/render/renderer.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { createPageWriter } from '../../../src/store/page-writer.ts';
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
      renderer: createRenderer({
        chromium: chromium(),
        path: process.env.PATH ?? '',
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

  test('one browser draws for the operator and for others, so the operator is told once', async () => {
    const site = await openSite({ '/robots.txt': '' }, { fallback: shell });
    const store = openPageStore(temporaryFolder());
    const notices: string[] = [];
    const crawler = createCrawler({
      store,
      pageWriter: createPageWriter({ store }),
      config: {
        allowPrivate: true,
        contact: undefined,
        render: { chromium: '/nowhere/chromium', path: '' },
      },
      credentials: createCredentials(() => [], Date.now),
      delaySeconds: 0,
      readers: 1,
      onNotice: (text) => notices.push(text),
    });
    onTestFinished(async () => {
      await crawler.close();
      await store.close();
    });
    await crawler.visitAndKeep(site.url('/a'));
    await crawler.anonymous.visitAndKeep(site.url('/b'));
    expect(notices).toHaveLength(1);
  });

  test('a browser is found by its usual names in the path, and nothing else is', () => {
    const path = program('google-chrome');
    expect(findChromium(`/nowhere:${join(path, '..')}`, 'linux')).toBe(path);
    expect(findChromium(join(program('firefox'), '..'), 'linux')).toBeUndefined();
  });
});
