import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../../runtime.ts';
import { openPageStore } from '../../store/lmdb-store.ts';
import type { PackWorkerData } from './compactor.ts';
import { pack } from './pack.ts';
import { createSegmentMapping } from './segment-mapping.ts';
import { withoutTermination } from './termination-lock.ts';

const { dataFolder, indexFolder, mapsSegments, terminationLock } = workerData as PackWorkerData;
const guard = <Result>(work: () => Result): Result => withoutTermination(terminationLock, work);
const store = guard(() => openPageStore(dataFolder));
const mapping = createSegmentMapping({ log: silentLog, enabled: mapsSegments, guard });
const result = pack(store, indexFolder, mapping);
await store.close();
parentPort?.postMessage(result);
