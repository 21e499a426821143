import { parentPort, workerData } from 'node:worker_threads';
import { openPageStore } from '../../store/lmdb-store.ts';
import { pack } from './pack.ts';

const { dataFolder, indexFolder } = workerData as { dataFolder: string; indexFolder: string };
const store = openPageStore(dataFolder);
const result = pack(store, indexFolder);
await store.close();
parentPort?.postMessage(result);
