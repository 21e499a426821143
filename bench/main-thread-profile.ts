import { Session } from 'node:inspector/promises';

/** Seconds of this thread by what ran, largest first; `idle` is left out. */
export type ThreadProfile = readonly (readonly [part: string, seconds: number])[];

/** Where a thread spends its time, by the place of the code in the tree; the first match names it. */
const parts: readonly (readonly [RegExp, string])[] = [
  [/\/src\/index\//, 'index'],
  [/\/src\/text\//, 'index'],
  [/\/src\/store\/|\/lmdb\/|\/msgpackr\/|\/ordered-binary\//, 'store'],
  [/\/src\/engine\/|\/src\/query\//, 'search'],
  [/\/src\/extract\//, 'extraction'],
  [/\/src\/crawl\/canonical-url/, 'links'],
  [/\/src\/crawl\/|\/src\/limits\//, 'crawler'],
  [/\/undici\/|node:net|node:_http|node:internal\/(streams|stream_base|net)/, 'HTTP'],
  [/^node:internal\/url/, 'links'],
  [/^node:internal\/(worker|per_context)|worker/, 'hand-over to the readers'],
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
  const result = await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const seconds = new Map<string, number>();
  profile.samples?.forEach((id, i) => {
    const frame = nodes.get(id);
    const part = partOf(frame?.functionName ?? '', frame?.url ?? '');
    if (part !== 'idle') seconds.set(part, (seconds.get(part) ?? 0) + (profile.timeDeltas?.[i] ?? 0) / 1e6);
  });
  return { result, profile: [...seconds].sort(([, a], [, b]) => b - a) };
}

function partOf(name: string, url: string): string {
  if (name === '(idle)') return 'idle';
  if (name === '(garbage collector)') return 'garbage collection';
  if (name === '(program)') return 'system calls and native code';
  return parts.find(([pattern]) => pattern.test(url))?.[1] ?? 'other';
}
