import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startGleaner } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { birdData, hostileTitle } from './bird-pages.ts';
import { launchBrowser, openTab, type Tab, violations } from './browser.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** One client asks more in these tests than one person does. */
const unlimited = { GLEANER_SEARCH_LIMIT: 'off', GLEANER_CONTENT_LIMIT: 'off' };

/** The origin of a service over these pages, which ends with the test. */
async function startService(folder?: string): Promise<string> {
  const data = folder ?? (await birdData());
  const service = startGleaner(['serve', '--port', '0', '--data', data], '', unlimited);
  const [, origin = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  return origin;
}

async function tab(origin: string, options: Parameters<typeof openTab>[2] = {}): Promise<Tab> {
  const opened = await openTab(browser, origin, { locale: 'en-GB', ...options });
  onTestFinished(() => opened.context.close());
  return opened;
}

/** The address of the reader of the first result. */
async function readerOf(origin: string, q: string): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/search?q=${encodeURIComponent(q)}`);
  const { results } = (await answer.json()) as { results: { id: string }[] };
  return `/page/${results[0]?.id}`;
}

/** The elements that make a page wider than the window. */
const widerThanWindow = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .filter((each) => each.getBoundingClientRect().right > innerWidth && !each.closest('.scroll, pre'))
  .map((each) => each.outerHTML.slice(0, 80))`;

const colours = ['light', 'dark'] as const;
const widths = [1100, 400];

test('every route is accessible in both colours and widths, and nothing complains', async () => {
  const origin = await startService();
  const { page, complaints, foreign } = await tab(origin);
  const reader = await readerOf(origin, 'intitle:"feeding herons"');
  const routes = [
    ...['/', '/search?q=heron', '/search?q=heron+zeppelin&ui=zh', '/search?q=herron&pageno=2'],
    ...['/search?q=heron&lang=english', '/page/nothing', `${reader}?find=herons`, `${reader}?ui=zh`],
    ...['/status', '/docs', '/docs/api'],
  ];
  for (const route of routes) {
    const status = (await page.goto(origin + route))?.status() ?? 0;
    expect([route, status >= 400]).toEqual([route, /english|nothing/.test(route)]);
    for (const colorScheme of colours) {
      for (const width of widths) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const found = { violations: await violations(page), wide: await page.evaluate(widerThanWindow) };
        expect({ route, colorScheme, width, ...found }).toEqual({
          ...{ route, colorScheme, width },
          ...{ violations: [], wide: [] },
        });
      }
    }
  }
  // A browser says of every refusal that it failed to load.
  expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  expect(foreign).toEqual([]);
});

test('a new index shows three steps, without a violation', async () => {
  const origin = await startService(temporaryFolder());
  const { page, complaints } = await tab(origin);
  await page.goto(origin);
  expect(await page.textContent('main')).toContain('gleaner crawl');
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('results come as one types, Enter keeps them, and the keyboard leads to a page and back', async () => {
  const origin = await startService();
  const { page, complaints } = await tab(origin);
  await page.goto(origin);
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.id')).toBe('q');
  await page.keyboard.type('hurry');
  await page.waitForSelector('.results h2');
  expect(await page.textContent('#said')).toBe(await page.textContent('.count'));
  expect(page.url()).toBe(`${origin}/search?q=hurry`);
  expect(await page.locator('.results mark').first().textContent()).toBe('hurry');

  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  await page.keyboard.press('/');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Feeding herons');
  await page.keyboard.press('ArrowUp');
  expect(await page.evaluate('document.activeElement.id')).toBe('q');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Read here');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/page\//);
  expect(await page.textContent('h1')).toBe('Feeding herons');
  expect(await page.locator('pre code').count()).toBe(1);
  expect(await page.locator('.passage mark').first().textContent()).toBe('hurry');
  // The key for it belongs to the window of a browser, which there is none of here.
  await page.goBack();
  expect(page.url()).toContain(`${origin}/search?q=hurry`);
  expect(await page.inputValue('#q')).toBe('hurry');
  expect(complaints).toEqual([]);
});

test('no request is made while an input method composes', async () => {
  const origin = await startService();
  const { page } = await tab(origin);
  await page.goto(origin);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/search') asked.push(decodeURIComponent(search));
  });
  await page.focus('#q');
  const session = await page.context().newCDPSession(page);
  for (const text of ['c', 'ca', 'cang', 'cangl', 'canglu'])
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  // Longer than typing pauses before it asks.
  await page.waitForTimeout(500);
  expect(asked).toEqual([]);
  await session.send('Input.insertText', { text: '苍鹭' });
  await page.waitForSelector('.results h2');
  expect(asked).toEqual(['?q=苍鹭&part=1']);
  expect(await page.locator('.results mark').first().textContent()).toBe('苍鹭');
});

test('without JavaScript a person searches, filters, pages and reads', async () => {
  const origin = await startService();
  const { page } = await tab(origin, { javaScriptEnabled: false, locale: 'zh-CN' });
  await page.goto(origin);
  await page.fill('#q', 'heron');
  await page.press('#q', 'Enter');
  await page.waitForURL(/q=heron/);
  expect(await page.locator('.results h2').count()).toBe(10);
  expect(await page.getAttribute('html', 'lang')).toBe('zh');
  await page.click('a[rel=next]');
  expect(await page.locator('.results h2').count()).toBeGreaterThan(0);
  await page.selectOption('select[name=lang]', 'ar');
  await page.click('button');
  await page.waitForURL(/lang=ar/);
  expect(await page.locator('.results h2').count()).toBe(1);
  await page.click('.results a[href^="/page/"]');
  expect(await page.textContent('h1')).toBe('مالك الحزين');
  expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).direction`)).toBe('rtl');
});

test('a title that would be a script stays text, in results and on its page', async () => {
  const origin = await startService();
  const { page, complaints } = await tab(origin);
  for (const route of ['/search?q=night+herons', await readerOf(origin, 'night herons')]) {
    await page.goto(origin + route);
    expect(await page.locator('main').textContent()).toContain(hostileTitle);
    expect(await page.title()).not.toBe('taken');
    expect(await page.locator('main script, main img, a[href^="javascript"]').count()).toBe(0);
  }
  await page.goto(`${origin}/`);
  await page.fill('#q', 'night herons');
  await page.waitForSelector('.results h2');
  expect(await page.locator('.results script, .results img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a screen reader is told of the search as it is', async () => {
  const origin = await startService();
  const { page } = await tab(origin, { locale: 'en-US' });
  await page.goto(`${origin}/search?q=feeding+site:birds.example`);
  const tree = await page.locator('main').ariaSnapshot();
  await expect(
    tree.replace(/crawled \w+ \d+, \d+/g, 'crawled DATE').replace(/page\/\w+/g, 'page/ID'),
  ).toMatchFileSnapshot('search-tree.yaml');
});
