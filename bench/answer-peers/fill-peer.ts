import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { cached } from '../engines/cache.ts';
import { type AnswerPeer, type PeerProcess, startPeer } from './peer-process.ts';

/** Where the index of a peer is. */
export const peerFolder = (name: AnswerPeer): string => cached('answer-peers', name);
/** Says which pages the index of a peer has: the data folder, and its last change. */
const stampOf = (name: AnswerPeer): string => cached('answer-peers', `${name}.pages`);

/** A peer with a new index. */
interface NewPeer {
  readonly peer: PeerProcess;
  /** What its process took for the index, in milliseconds of CPU. */
  readonly cpuMs: number;
}

/** A peer with a new index of all pages of a data folder. */
export async function fillPeer(name: AnswerPeer, dataFolder: string): Promise<NewPeer> {
  const own = peerFolder(name);
  rmSync(stampOf(name), { force: true });
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const peer = startPeer(name, own);
  const store = openPageStore(dataFolder);
  for (const { id } of store.heads()) {
    const page = store.page(id);
    if (page) await peer.add(page);
  }
  const lastSeq = store.lastSeq();
  await store.close();
  const cpuMs = await peer.finish();
  writeFileSync(stampOf(name), stamp(dataFolder, lastSeq));
  return { peer, cpuMs };
}

/** The folder of a peer's index of a data folder, made where there is none. */
export async function filledFolder(name: AnswerPeer, dataFolder: string): Promise<string> {
  const store = openPageStore(dataFolder);
  const lastSeq = store.lastSeq();
  await store.close();
  const file = stampOf(name);
  const isThere = existsSync(file) && readFileSync(file, 'utf8') === stamp(dataFolder, lastSeq);
  if (!isThere) await (await fillPeer(name, dataFolder)).peer.end();
  return peerFolder(name);
}

function stamp(dataFolder: string, lastSeq: number): string {
  return `${resolve(dataFolder)} ${lastSeq}`;
}
