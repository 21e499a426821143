import { readFileSync } from 'node:fs';
import type { CDPSession } from 'playwright-core';

/** Bytes that the browser's processes have of their own, not shared with each other; 0 where the system does not tell. */
export async function browserMemory(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { id }) => sum + ownBytes(id), 0);
}

function ownBytes(pid: number): number {
  try {
    const [, kilobytes = '0'] =
      /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}
