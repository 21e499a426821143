import { rm } from 'node:fs/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { within } from '../../async/within.ts';
import { browserArguments } from './browser-arguments.ts';
import { browserMemory } from './browser-memory.ts';
import { drawPage } from './draw-page.ts';
import type {
  FromRenderProcess,
  PartAnswer,
  PartRequest,
  RenderProcessOptions,
  ScriptedPage,
  ToRenderProcess,
} from './messages.ts';
import { openRefusingProxy } from './refusing-proxy.ts';
import { maxBrowserBytes, maxPagesOfBrowser, maxStartMs } from './render-limits.ts';

/** The process that draws: it has one browser, and asks its parent for every byte. It ends with its parent. */
const { executablePath, path, folder, without } = JSON.parse(process.argv[2] ?? '{}') as RenderProcessOptions;

interface Started {
  readonly browser: Browser;
  readonly session: CDPSession;
  readonly isSandboxed: boolean;
}

const asks = new Map<number, (answer: PartAnswer | null) => void>();
const maxMemoryWaitMs = 1000;
let started: Promise<Started> | undefined;
let askCount = 0;
let pages = 0;

const send = (message: FromRenderProcess): void => {
  if (process.connected) process.send?.(message);
};

const ask = (request: PartRequest): Promise<PartAnswer | null> =>
  new Promise((resolve) => {
    askCount += 1;
    asks.set(askCount, resolve);
    send({ kind: 'ask', ask: askCount, request });
  });

async function start(): Promise<Started> {
  const { chromium } = await import('playwright-core').catch(() => {
    throw new Error('the package playwright-core is missing: npm install playwright-core');
  });
  const args = browserArguments(await openRefusingProxy(), without);
  const env = { PATH: path, TMPDIR: folder, HOME: folder, LANG: 'C.UTF-8' };
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({
      executablePath,
      args,
      chromiumSandbox,
      timeout: maxStartMs,
      env,
    });
  // Chromium's own sandbox refuses root, and is not allowed on every system.
  let isSandboxed = process.getuid?.() !== 0;
  let browser: Browser | undefined;
  if (isSandboxed)
    browser = await launch(true).catch((error: Error) => {
      // A busy machine is no reason to give the sandbox up.
      if (error.name === 'TimeoutError') throw error;
      return undefined;
    });
  if (browser === undefined) {
    isSandboxed = false;
    browser = await launch(false);
  }
  return { browser, session: await browser.newBrowserCDPSession(), isSandboxed };
}

/** Draws a page. Never rejects: a browser that fails is worn. */
async function draw(
  { browser, session, isSandboxed }: Started,
  shell: ScriptedPage,
): Promise<FromRenderProcess> {
  const memory = async () => (await within(maxMemoryWaitMs, browserMemory(session))) ?? 0;
  pages += 1;
  try {
    const { drawing, isStuck } = await drawPage({ browser, ask, memory, without }, shell);
    const isWorn = isStuck || pages >= maxPagesOfBrowser || (await memory()) > maxBrowserBytes;
    return { kind: 'drawn', drawing, isWorn: isWorn || !browser.isConnected(), isSandboxed };
  } catch {
    const drawing = { kind: 'failed', why: 'the browser could not draw it' } as const;
    return { kind: 'drawn', drawing, isWorn: true, isSandboxed };
  }
}

process.on('message', async (message: ToRenderProcess) => {
  if (message.kind === 'answer') {
    asks.get(message.ask)?.(message.answer);
    asks.delete(message.ask);
    return;
  }
  try {
    started ??= start();
    send(await draw(await started, message.shell));
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    send({ kind: 'unavailable', why });
  }
});

const maxEndMs = 3000;

process.on('disconnect', async () => {
  await within(
    maxEndMs,
    Promise.resolve(started).then((running) => running?.browser.close()),
  );
  // The parent does it, too, unless it was killed.
  await rm(folder, { recursive: true, force: true }).catch(() => {});
  process.exit();
});
