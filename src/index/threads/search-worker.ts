import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../../runtime.ts';
import { type Guarded, terminationGuard } from '../packed/guarded-worker.ts';
import { openParts, type PackedPart } from '../packed/segment-files.ts';
import { createSegmentMapping } from '../packed/segment-mapping.ts';
import { searchSegment } from '../segment/search.ts';
import { type HitSource, TopK } from '../segment/top-k.ts';
import type {
  ThreadAnswer,
  ThreadData,
  ThreadMessage,
  ThreadRefusal,
  ThreadRequest,
} from './search-thread.ts';

const data = workerData as ThreadData & Guarded;
const { folder } = data;
const mapping = createSegmentMapping({ log: silentLog, guard: terminationGuard(data).run });
/** The segments of the last search. As long as they are in the index, the next one is over the same. */
let open: readonly PackedPart[] = [];

const send = (message: ThreadMessage): void => parentPort?.postMessage(message);

parentPort?.on('message', (request: ThreadRequest) => send(answerTo(request)));
send('ready');

/** Refuses if a file is damaged, gone, another one, or cannot be mapped. */
function answerTo({ search, limit, parts }: ThreadRequest): ThreadAnswer | ThreadRefusal {
  const listed = parts.map(({ file, identity }) => ({ file, identity, dead: [] }));
  const opened = openParts(folder, { segments: listed }, { open, mapping });
  if (opened.kind === 'damaged') return { why: `${opened.file}: ${opened.why}` };
  const unmapped = opened.parts.find(({ bytes }) => bytes.held !== 'map');
  if (unmapped) return { why: `${unmapped.file} cannot be mapped` };
  open = opened.parts;
  const segments: readonly HitSource[] = open.map(({ segment }) => segment);
  const top = new TopK(limit);
  let total = 0;
  for (const [index, { segment }] of open.entries())
    total += searchSegment(segment, { ...search, dead: parts[index]?.dead, top });
  const found = top.places();
  return {
    total,
    parts: Uint16Array.from(found, ({ source }) => segments.indexOf(source)),
    pages: Uint16Array.from(found, ({ page }) => page),
    scores: Float64Array.from(found, ({ score }) => score),
    crawlTimes: Float64Array.from(found, ({ crawledAt }) => crawledAt),
  };
}
