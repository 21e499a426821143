import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** What keeps the browser from calling its makers, and from what a container does not have. */
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Debian's Chromium with a fresh profile. */
export function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('there is no Chromium here: apt-get install chromium');
  return chromium.launch({
    executablePath,
    args,
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir() },
  });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A tab, with everything that it complained of and every request that it made. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
  /** Addresses of requests to other origins than the one that is tested. */
  readonly foreign: readonly string[];
}

export async function openTab(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  return { page, context, complaints, foreign };
}

/** What axe says against a page: rule and elements. It is evaluated by the debugger, which the policy of a page leaves alone. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations: found } = (await page.evaluate('axe.run(document)')) as AxeResults;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}
