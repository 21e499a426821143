import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { abortable } from '../../async/abortable.ts';
import { within } from '../../async/within.ts';
import { type Confinement, findConfinement } from './confinement.ts';
import { findChromium, isProgram } from './find-chromium.ts';
import type {
  Defence,
  Drawing,
  FromRenderProcess,
  RenderProcessOptions,
  ScriptedPage,
  ToRenderProcess,
} from './messages.ts';
import type { PageParts, PartsLater } from './page-parts.ts';
import { idleMs, maxDrawMs, maxStartMs } from './render-limits.ts';

/** `unavailable`: there is no browser, so no page can be drawn. */
export type Rendering = Drawing | PartsLater | { readonly kind: 'unavailable' };

export interface Renderer {
  /** Draws a page in the browser, one at a time; `parts` answers its scripts. Rejects only with the signal's reason. */
  draw(shell: ScriptedPage, parts: PageParts, signal?: AbortSignal): Promise<Rendering>;
  close(): Promise<void>;
}

export interface RendererOptions {
  /** Path of Chromium; looked for in its usual places when not given. */
  readonly chromium?: string | undefined;
  /** Folders of programs, as in `PATH`. */
  readonly path: string;
  /** Called once for what the operator should know: there is no browser, or it lacks a protection. */
  readonly onNotice?: ((message: string) => void) | undefined;
  /** For tests: how the process is started, and layers that are left out. */
  readonly confinement?: Confinement;
  readonly without?: readonly Defence[];
}

const processFile = fileURLToPath(new URL('./render-process.js', import.meta.url));
/** The process ends its own pages before this. */
const graceMs = 10_000;
const maxEndMs = 5000;
/** A browser that is missing or does not start is looked for again after this time. */
const retryMs = 10 * 60 * 1000;

const noChromium =
  'GLEANER_RENDER=auto needs a Chromium, and none was found: install one (apt-get install chromium), or set GLEANER_CHROMIUM to its path. Until then pages drawn by scripts are left out.';
const unsandboxed =
  'Chromium draws pages without its own sandbox, which this system does not allow (it needs user namespaces, or a user that is not root): see docs/drawn-pages.md';

/** A browser in a process of its own, started with the first page, and ended when it is worn or idle. */
export function createRenderer(options: RendererOptions): Renderer {
  const { path, onNotice, without = [] } = options;
  const noticed = new Set<string>();
  let confinement: Promise<Confinement> | undefined;
  let running: RenderProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let closed = false;

  const notice = (message: string): void => {
    if (!noticed.has(message)) onNotice?.(message);
    noticed.add(message);
  };

  const unavailable = (message: string): Rendering => {
    triedAt = performance.now();
    notice(message);
    return { kind: 'unavailable' };
  };

  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = running;
    running = undefined;
    await ending?.end();
  };

  const drawNow = async (
    shell: ScriptedPage,
    parts: PageParts,
    signal: AbortSignal | undefined,
  ): Promise<Rendering> => {
    signal?.throwIfAborted();
    if (closed || performance.now() - triedAt < retryMs) return { kind: 'unavailable' };
    const executablePath = options.chromium ?? findChromium(path);
    if (executablePath === undefined) return unavailable(noChromium);
    if (!isProgram(executablePath))
      return unavailable(
        `GLEANER_CHROMIUM: there is no program at ${executablePath}. Pages drawn by scripts are left out.`,
      );
    clearTimeout(idle);
    confinement ??= options.confinement ? Promise.resolve(options.confinement) : findConfinement();
    running ??= startRenderProcess(await confinement, { executablePath, path, without });
    const answer = await running.draw(shell, parts, signal);
    if (answer.kind === 'unavailable') {
      await end();
      return unavailable(`GLEANER_RENDER=auto: pages drawn by scripts are left out, because ${answer.why}`);
    }
    if (answer.kind === 'drawn' && !answer.isSandboxed) notice(unsandboxed);
    if (answer.kind === 'ended' || answer.isWorn) await end();
    else idle = setTimeout(() => void end(), idleMs).unref();
    signal?.throwIfAborted();
    if (answer.kind === 'ended') return { kind: 'failed', why: 'the browser ended' };
    return parts.later() ?? answer.drawing;
  };

  return {
    draw(shell, parts, signal) {
      const drawing = last.then(() => drawNow(shell, parts, signal));
      last = drawing.catch(() => {});
      return abortable(drawing, signal);
    },
    async close() {
      closed = true;
      await end();
      await last;
    },
  };
}

type Answer = Exclude<FromRenderProcess, { kind: 'ask' }> | { readonly kind: 'ended' };

interface RenderProcess {
  /** `ended`: the process died, took too long, or the signal was aborted. */
  draw(shell: ScriptedPage, parts: PageParts, signal: AbortSignal | undefined): Promise<Answer>;
  /** Ends the process and its browser, and removes what they left on disk. */
  end(): Promise<void>;
}

function startRenderProcess(
  confinement: Confinement,
  options: Omit<RenderProcessOptions, 'folder'>,
): RenderProcess {
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-render-'));
  const given: RenderProcessOptions = { ...options, folder };
  const [program = '', ...rest] = [...confinement, process.execPath, processFile, JSON.stringify(given)];
  const child: ChildProcess = spawn(program, rest, {
    // No settings: a hostile page should find no keys there.
    env: { PATH: options.path, TMPDIR: folder, HOME: folder },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = new Promise<Answer>((resolve) => {
    child.once('exit', () => resolve({ kind: 'ended' }));
    child.once('error', ({ message }) => resolve({ kind: 'unavailable', why: message }));
  });
  const send = (message: ToRenderProcess): void => {
    if (child.connected) child.send(message, () => {});
  };
  const letGo = (): void => {
    child.unref();
    child.channel?.unref();
  };
  return {
    draw: (shell, parts, signal) =>
      new Promise((resolve) => {
        child.ref();
        child.channel?.ref();
        const requests = new AbortController();
        const finish = (answer: Answer): void => {
          clearTimeout(timer);
          requests.abort();
          child.off('message', onMessage);
          signal?.removeEventListener('abort', onEnd);
          letGo();
          resolve(answer);
        };
        const onEnd = (): void => finish({ kind: 'ended' });
        const onMessage = async (message: FromRenderProcess): Promise<void> => {
          if (message.kind !== 'ask') return finish(message);
          const { ask, request } = message;
          send({ kind: 'answer', ask, answer: await parts.ask(request, requests.signal) });
        };
        const timer = setTimeout(onEnd, maxStartMs + maxDrawMs + graceMs);
        signal?.addEventListener('abort', onEnd, { once: true });
        child.on('message', onMessage);
        void exited.then(finish);
        send({ kind: 'draw', shell });
      }),
    async end() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), maxEndMs);
      await within(maxEndMs + 1000, exited);
      clearTimeout(timer);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(() => {});
    },
  };
}
