import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../../runtime.ts';
import { openPageStore } from '../../store/lmdb-store.ts';
import type { PackWorkerData } from './compactor.ts';
import { type Guarded, terminationGuard } from './guarded-worker.ts';
import { pack } from './pack.ts';
import { guardedSource } from './pack-source.ts';
import { createSegmentMapping } from './segment-mapping.ts';

const data = workerData as PackWorkerData & Guarded;
const { run: guard, hold } = terminationGuard(data);
const { dataFolder, indexFolder, mapsSegments } = data;
const store = guard(() => openPageStore(dataFolder));
const mapping = createSegmentMapping({ log: silentLog, enabled: mapsSegments, guard });
parentPort?.postMessage(pack(guardedSource(store, guard), indexFolder, mapping));
hold();
await store.close();
