import { readFileSync } from 'node:fs';

/** Identifies a process, and distinguishes it from a later one with the same pid. */
export interface ProcessId {
  readonly pid: number;
  /** The process's start by the kernel's clock; null if the system does not provide it. */
  readonly startedAt: string | null;
}

export function thisProcess(): ProcessId {
  return { pid: process.pid, startedAt: statOf(process.pid)?.startedAt ?? null };
}

export function isAlive({ pid, startedAt }: ProcessId): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startedAt === null || statOf(pid)?.startedAt === startedAt;
}

/** Describes a process: its pid, its command and whether it is stopped, as far as the system provides it. */
export function describeProcess(pid: number): string {
  const command = commandOf(pid);
  const state = statOf(pid)?.state;
  const isStopped = state === 'T' || state === 't';
  return `process ${pid}${command === undefined ? '' : ` (${command})`}${isStopped ? `, which is stopped ("kill -CONT ${pid}" lets it go on)` : ''}`;
}

/** State and start time of a process from Linux's /proc (fields 3 and 22 of `stat`, proc(5)). */
function statOf(pid: number): { state: string | undefined; startedAt: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], startedAt: fields[19] };
  } catch {
    return undefined;
  }
}

/** The command of a process, such as `gleaner crawl`, without its arguments, which may be confidential. */
function commandOf(pid: number): string | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const program = words.findIndex((word) => /(^|[\\/])gleaner(\.mjs)?$/.test(word));
    const command = words[program + 1];
    return program < 0 || command === undefined || !/^[a-z]+$/.test(command)
      ? undefined
      : `gleaner ${command}`;
  } catch {
    return undefined;
  }
}
