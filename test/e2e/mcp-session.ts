import { readFileSync } from 'node:fs';
import { type Environment, startProcess } from '../process.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly result?: { readonly structuredContent?: unknown; readonly isError?: boolean };
  readonly error?: { readonly code: number };
}

/** A client that writes its own messages to `gleaner mcp`, and sees every line of its stdout. */
export function startSession(bin: string, args: readonly string[], environment: Environment = {}) {
  const { child, finished, stderr } = startProcess(bin, ['mcp', ...args], 'open', environment);
  let unread = '';
  const lines: string[] = [];
  let onLine = () => {};
  child.stdout.on('data', (text: string) => {
    const [last = '', ...before] = `${unread}${text}`.split('\n').reverse();
    unread = last;
    lines.push(...before.reverse());
    onLine();
  });
  const say = (...messages: object[]): void => {
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  // A process that was killed no longer reads.
  child.stdin.on('error', () => {});
  /** Resolves with the first message like that; rejects when the process ends before. */
  const hears = (isIt: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve, reject) => {
      onLine = () => {
        const found = lines.map((line) => JSON.parse(line) as Message).find(isIt);
        if (found) resolve(found);
      };
      void finished.then(() => reject(new Error(`ended without saying it: ${stderr()}`)));
      onLine();
    });
  const call = (id: number, name: string, args: object, _meta = {}): void =>
    say({ id, method: 'tools/call', params: { name, arguments: args, _meta } });

  const clientInfo = { name: 'test', version: '0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  say({ id: 0, method: 'initialize', params }, { method: 'notifications/initialized' });
  return { child, finished, stderr, lines, unread: () => unread, say, hears, call };
}

/** Whether a process is no more; one that ended and that nobody asked after is no process (proc(5), `stat`). */
export function isGone(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return true;
  }
}
