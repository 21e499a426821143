import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../app/app.ts';
import type { ServiceState } from '../http/metrics/gauges.ts';
import { indexFolderOf } from '../index/packed/read-ahead.ts';

/** The state of a service and of its data folder, for its metrics. */
export async function serviceState(app: App, dataFolder: string): Promise<ServiceState> {
  const { segments, livePages, packedSeq } = app.index.stats();
  const { pages, searchable } = app.engine.status();
  const cluster = app.clusterState();
  const pageChanges = app.store.lastSeq();
  const usedProviders = Object.entries(app.providerStates()).filter(([, state]) => state !== 'not asked yet');
  return {
    pages,
    searchablePages: searchable,
    damagedPages: app.store.damagedPages(),
    livePages,
    segments,
    unpackedChanges: Math.max(0, pageChanges - packedSeq),
    indexBytes: await folderBytes(indexFolderOf(dataFolder)),
    pageChanges,
    frontierUrls: app.store.table('frontier').count(),
    isStoreWritable: app.store.health().kind === 'ok',
    ...(cluster && {
      cluster: { isUp: cluster.unavailable === undefined, failedPages: cluster.failedPages },
    }),
    providers: Object.fromEntries(usedProviders.map(([name, state]) => [name, state === 'ok'])),
  };
}

/** Files that another process removes meanwhile do not count. */
async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = names.map((name) =>
    stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
