import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startGleaner } from '../../process.ts';
import { htmlPage, openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { launchBrowser, openTab, violations } from './browser.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const paths = Array.from({ length: 300 }, (_, n) => `/heron/${n}`);

/** A service that may be managed, and a tab that has opened it by the printed address. */
async function manage(options: Parameters<typeof openTab>[2] = {}) {
  const site = await openSite(
    { '/': htmlPage('Herons', paths), ...Object.fromEntries(paths.map((path) => [path, htmlPage(path)])) },
    { fallback: () => ({ status: 404 }) },
  );
  const environment = { GLEANER_ADMIN: 'on', GLEANER_ALLOW_PRIVATE: '1' };
  const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()], '', environment);
  const [, address = ''] = await service.says(/Manage: +(\S+)/);
  const { origin } = new URL(address);
  const opened = await openTab(browser, origin, { locale: 'en-GB', ...options });
  onTestFinished(() => opened.context.close());
  await opened.page.goto(address);
  return { ...opened, site, origin };
}

test('a crawl is looked at, started, watched and stopped in the browser', async () => {
  const { page, complaints, foreign, site, origin } = await manage();
  expect(page.url()).toBe(`${origin}/admin`);
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1100, 400]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await violations(page)).toEqual([]);
    }
  await page.fill('input[name=url]', site.url('/'));
  await page.press('input[name=url]', 'Enter');
  await page.waitForSelector('button:has-text("Start the crawl")');
  expect(await page.textContent('main')).toContain(`${site.url('/heron/3')}`);
  expect(await violations(page)).toEqual([]);
  await page.click('button:has-text("Start the crawl")');

  const pagesShown = async () =>
    Number(await page.locator('#live dt:has-text("Pages") + dd').first().textContent({ timeout: 60_000 }));
  await expect.poll(pagesShown, { timeout: 60_000 }).toBeGreaterThan(0);
  const before = await pagesShown();
  // Nobody loads the page again: the script does.
  await expect.poll(pagesShown, { timeout: 60_000 }).toBeGreaterThan(before);
  const status = await page.context().newPage();
  await status.goto(`${origin}/status`);
  expect(await status.textContent('#live')).toContain('running');
  await page.click('button:has-text("Stop")');
  await page.waitForSelector('td:has-text("stopped")', { timeout: 60_000 });
  expect(await page.textContent('#live')).toContain('No task runs');
  expect(await violations(page)).toEqual([]);
  expect([complaints, foreign]).toEqual([[], []]);
});

test('the same without JavaScript', async () => {
  const { page, site } = await manage({ javaScriptEnabled: false, locale: 'zh-CN' });
  await page.fill('input[name=url]', site.url('/'));
  await page.fill('input[name=max_pages]', '3');
  await page.press('input[name=url]', 'Enter');
  await page.click('button:has-text("开始抓取")');
  const live = async () => {
    await page.reload();
    return page.textContent('#live');
  };
  await expect.poll(live, { timeout: 60_000 }).toContain('完成');
});
