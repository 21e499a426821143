import { readFileSync } from 'node:fs';

/** A process, told from a later one that has its pid. */
export interface ProcessId {
  readonly pid: number;
  /** The process's start in the kernel's clock; null where the system does not say. */
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

/** A process in words: its pid, what it runs and whether it is stopped, as far as the system says. */
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

/** `gleaner crawl`, from the command line of a process; its arguments may hold what is nobody's business. */
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
