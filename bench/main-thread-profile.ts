import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

export interface ThreadProfile {
  /** CPU time of the main thread. */
  readonly cpuSeconds: number;
  /** What it was spent on, largest share first. */
  readonly shares: readonly (readonly [part: string, share: number])[];
}

/** Where a thread spends its time, by the place of the code in the tree; the first match names it. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/\/src\/index\//, 'index'],
  [/\/src\/text\//, 'index'],
  [/\/src\/store\/|\/lmdb\/|\/msgpackr\/|\/ordered-binary\//, 'store'],
  [/\/src\/engine\/|\/src\/query\//, 'search'],
  [/\/src\/extract\//, 'extraction'],
  [/\/src\/crawl\/canonical-url/, 'links'],
  [/\/src\/crawl\/|\/src\/limits\//, 'crawler'],
  [/\/undici\/|^node:net|^node:internal\/(streams|stream_base|net)|^wasm:/, 'HTTP'],
  [/^node:internal\/url/, 'links'],
  [/^node:internal\/worker/, 'hand-over to the reader threads'],
];
/** Functions of Node itself, which have no place. */
const natives: readonly (readonly [RegExp, string])[] = [
  [/^write(Latin1|Utf8|Ucs2)String$|^writeBuffer$|^writev$|^readStart$|^connect$/, 'HTTP'],
  [/^postMessage$/, 'hand-over to the reader threads'],
];

/** Profiles this thread while `work` runs. */
export async function profileMainThread<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; profile: ThreadProfile }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  const before = mainThreadSeconds();
  const result = await work();
  const cpuSeconds = mainThreadSeconds() - before;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  // Samples are counted, not their time: on a busy machine that is mostly waiting for a processor.
  const samples = new Map<string, number>();
  for (const id of profile.samples ?? []) {
    const frame = nodes.get(id);
    const part = partOf(frame?.functionName ?? '', frame?.url ?? '');
    if (part !== 'idle') samples.set(part, (samples.get(part) ?? 0) + 1);
  }
  const all = [...samples.values()].reduce((sum, count) => sum + count, 0);
  const shares = [...samples].map(([part, count]) => [part, count / all] as const);
  return { result, profile: { cpuSeconds, shares: shares.sort(([, a], [, b]) => b - a) } };
}

/** CPU time of the thread whose id is that of the process, from Linux's /proc (schedstat, nanoseconds). */
export function mainThreadSeconds(): number {
  const [nanoseconds = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e9;
}

function partOf(name: string, url: string): string {
  if (name === '(idle)') return 'idle';
  if (name === '(garbage collector)') return 'garbage collection';
  if (name === '(program)') return 'system calls and native code';
  if (url === '') return natives.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
  return parts.find(([pattern]) => pattern.test(url))?.[1] ?? 'other';
}
