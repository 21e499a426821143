import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../../runtime.ts';
import { openSegmentFile } from '../packed/segment-bytes.ts';
import { isSameSegment, openPart } from '../packed/segment-files.ts';
import { createSegmentMapping } from '../packed/segment-mapping.ts';
import { withoutTermination } from '../packed/termination-lock.ts';
import type { Segment } from '../segment/reader.ts';
import { searchSegment } from '../segment/search.ts';
import { TopK } from '../segment/top-k.ts';
import type { ThreadAnswer, ThreadData, ThreadMessage, ThreadPart, ThreadRequest } from './search-thread.ts';

const { folder, terminationLock } = workerData as ThreadData;
const guard = <Result>(work: () => Result): Result => withoutTermination(terminationLock, work);
const mapping = createSegmentMapping({ log: silentLog, guard });
/** Open segments by their files. */
const open = new Map<string, Segment>();

const send = (message: ThreadMessage): void => parentPort?.postMessage(message);

parentPort?.on('message', (request: ThreadRequest) => {
  for (const file of open.keys()) if (!request.files.includes(file)) open.delete(file);
  let segments: Segment[];
  try {
    segments = request.parts.map(segmentOf);
  } catch (error) {
    send({ why: error instanceof Error ? error.message : String(error) });
    return;
  }
  send(answerTo(request, segments));
});
send('ready');

function answerTo({ search, limit, parts }: ThreadRequest, segments: readonly Segment[]): ThreadAnswer {
  const top = new TopK(limit);
  let total = 0;
  for (const [index, { dead }] of parts.entries())
    total += searchSegment(segments[index] as Segment, { ...search, ...(dead && { dead }), top });
  const found = top.places();
  return {
    total,
    parts: Uint16Array.from(found, ({ source }) => segments.indexOf(source as Segment)),
    pages: Uint16Array.from(found, ({ page }) => page),
    scores: Float64Array.from(found, ({ score }) => score),
    crawlTimes: Float64Array.from(found, ({ crawledAt }) => crawledAt),
  };
}

/** Throws if the file is damaged, gone, another one, or cannot be mapped. */
function segmentOf({ file, identity }: ThreadPart): Segment {
  const known = open.get(file);
  if (known) return known;
  const opened = openPart(file, openSegmentFile(join(folder, file), mapping));
  if (opened.kind === 'damaged') throw new Error(`${file}: ${opened.why}`);
  const { segment, bytes } = opened.part;
  if (bytes.held !== 'map') throw new Error(`${file} cannot be mapped`);
  if (!isSameSegment(opened.part.identity, identity)) throw new Error(`${file} is another file now`);
  open.set(file, segment);
  return segment;
}
