import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core';
import { sleep } from '../../async/sleep.ts';
import { within } from '../../async/within.ts';
import type { Defence, Drawing, PartAnswer, PartRequest, ScriptedPage } from './messages.ts';
import {
  busyQuietMs,
  emptyMs,
  maxBytesWhileDrawing,
  maxDrawMs,
  maxDrawnHtml,
  maxLookMs,
  pollMs,
  quietMs,
} from './render-limits.ts';

export interface DrawParts {
  readonly browser: Browser;
  /** Asks for a part of the page; null where it is refused. */
  readonly ask: (request: PartRequest) => Promise<PartAnswer | null>;
  /** Bytes that the browser has. */
  readonly memory: () => Promise<number>;
  readonly without: readonly Defence[];
}

/** What has happened to a page so far. */
interface State {
  isShown: boolean;
  isLoaded: boolean;
  /** Requests under way. */
  pending: number;
  ending: Drawing | undefined;
}

const maxCloseMs = 3000;
const maxReadMs = 3000;
const tooSlow: Drawing = { kind: 'failed', why: 'takes too long' };

/**
 * Draws a page in a context of its own, without cookies, permissions, downloads, service workers or further windows, and
 * reads it when its text stays equal. Every request is answered by `ask` or refused. `isStuck`: the browser must end.
 */
export async function drawPage(
  parts: DrawParts,
  shell: ScriptedPage,
): Promise<{ readonly drawing: Drawing; readonly isStuck: boolean }> {
  const context = await parts.browser.newContext({
    serviceWorkers: 'block',
    acceptDownloads: false,
    // Chromium asks before a page may reach loopback; where that is granted, the other layers stand alone.
    permissions: parts.without.includes('permissions') ? ['local-network-access'] : [],
  });
  const drawing = await drawIn(context, parts, shell).catch(
    (): Drawing => ({ kind: 'failed', why: 'the browser could not draw it' }),
  );
  const closed = await within(
    maxCloseMs,
    context.close().then(() => true),
  );
  return { drawing, isStuck: closed !== true };
}

async function drawIn(context: BrowserContext, parts: DrawParts, shell: ScriptedPage): Promise<Drawing> {
  const deadline = performance.now() + maxDrawMs;
  const state: State = { isShown: false, isLoaded: false, pending: 0, ending: undefined };
  const page = await context.newPage();
  context.on('page', (other) => void other.close().catch(() => {}));
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('load', () => {
    state.isLoaded = true;
  });
  page.on('crash', () => {
    state.ending = { kind: 'failed', why: 'takes too much memory' };
  });
  const answer = (route: Route) => answerRequest(route, { page, parts, shell, state }).catch(() => {});
  await context.route('**/*', answer);
  if (!parts.without.includes('interception')) await context.routeWebSocket(/./, (socket) => socket.close());
  const opened = await within(maxDrawMs, page.goto(shell.url, { waitUntil: 'commit', timeout: maxDrawMs }));
  if (opened === undefined) return state.ending ?? { kind: 'failed', why: 'the browser could not open it' };
  await untilQuiet(page, parts, state, deadline);
  return state.ending ?? readPage(page);
}

/** Waits until the text stays equal, the page has come to an end, or its time is over. */
async function untilQuiet(page: Page, { memory }: DrawParts, state: State, deadline: number): Promise<void> {
  let text = '';
  let equalMs = 0;
  let lookedAt = performance.now();
  while (state.ending === undefined) {
    await sleep(pollMs);
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return;
    if ((await memory()) > maxBytesWhileDrawing)
      state.ending = { kind: 'failed', why: 'takes too much memory' };
    const seen = await within(leftMs, page.innerText('body', { timeout: leftMs }));
    if (seen === undefined) continue;
    const now = performance.now();
    equalMs = seen === text ? equalMs + Math.min(now - lookedAt, maxLookMs) : 0;
    [text, lookedAt] = [seen, now];
    if (equalMs >= neededMs(state, text)) return;
  }
}

function neededMs({ isLoaded, pending }: State, text: string): number {
  if (!isLoaded || pending > 0) return busyQuietMs;
  return text.trim() === '' ? emptyMs : quietMs;
}

async function readPage(page: Page): Promise<Drawing> {
  const html = await within(maxReadMs, page.content());
  if (html === undefined) return tooSlow;
  return html.length > maxDrawnHtml ? { kind: 'failed', why: 'too large' } : { kind: 'html', html };
}

interface RequestParts {
  readonly page: Page;
  readonly parts: DrawParts;
  readonly shell: ScriptedPage;
  readonly state: State;
}

async function answerRequest(route: Route, { page, parts, shell, state }: RequestParts): Promise<void> {
  const request = route.request();
  if (isDocumentOf(request, page)) {
    if (!state.isShown) {
      state.isShown = true;
      return route.fulfill({ status: 200, headers: headersOf(shell), body: Buffer.from(shell.bytes) });
    }
    const to = withoutHash(request.url());
    if (/^https?:/.test(to) && to !== withoutHash(shell.url)) state.ending ??= { kind: 'moved', to };
    return route.abort('blockedbyclient');
  }
  if (parts.without.includes('interception')) return route.continue();
  // Some applications wait for their style sheets; nothing is read from them.
  if (request.resourceType() === 'stylesheet')
    return route.fulfill({ status: 200, contentType: 'text/css', body: '' });
  const type = partType(request);
  if (type === undefined) return route.abort('blockedbyclient');
  state.pending += 1;
  try {
    const { accept = '*/*' } = request.headers();
    const answer = await parts.ask({ url: request.url(), type, accept });
    if (answer === null) return await route.abort('blockedbyclient');
    const { status, headers, body } = answer;
    return await route.fulfill({ status, headers: { ...headers }, body: Buffer.from(body) });
  } finally {
    state.pending -= 1;
  }
}

function isDocumentOf(request: Request, page: Page): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame();
  } catch {
    // The request of a worker, or of a window that has no frame yet.
    return false;
  }
}

/** Scripts and data alone: a text needs no pictures, fonts, media, frames or reports. */
function partType(request: Request): PartRequest['type'] | undefined {
  if (request.method() !== 'GET' || request.isNavigationRequest()) return undefined;
  switch (request.resourceType()) {
    case 'script':
      return 'script';
    case 'xhr':
    case 'fetch':
      return 'data';
    default:
      return undefined;
  }
}

function headersOf({ contentType, contentSecurityPolicy }: ScriptedPage): Record<string, string> {
  return {
    'content-type': contentType ?? 'text/html',
    ...(contentSecurityPolicy !== undefined && { 'content-security-policy': contentSecurityPolicy }),
  };
}

function withoutHash(url: string): string {
  return url.replace(/#.*$/s, '');
}
