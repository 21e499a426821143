import { randomBytes } from 'node:crypto';
import type { AddressBlock } from './address-block.ts';

export interface BucketTable {
  /** The stored time of a client; 0 when there is none. */
  get(client: AddressBlock): number;
  /** Stores `time` for a client until it has passed. `now` and `time` are positive milliseconds of one clock. */
  set(client: AddressBlock, time: number, now: number): void;
  /** Number of stored clients. */
  count(): number;
}

/** An open-addressing hash table with linear probing; a time of 0 is a free slot. */
interface Shard {
  readonly keys: Uint32Array;
  readonly times: Float64Array;
  used: number;
}

const shardCount = 1024;
const minShardSlots = 8;
/** Every shard is cleaned of expired times once per round. */
const roundMs = 30_000;
/** Maximum shards cleaned by one call, as after a pause. */
const maxShardsAtOnce = 64;

/**
 * Stores one time per client, in 16 bytes a slot: about 35 MB for a million clients. One table of that size would block
 * while it grows. Therefore there are a thousand small shards, each of which grows, shrinks and drops expired times in
 * some microseconds. The hash is seeded, so that clients cannot choose addresses that collide.
 */
export function createBucketTable(): BucketTable {
  const seeds = new Uint32Array(new Uint8Array(randomBytes(8)).buffer);
  const shards: Shard[] = Array.from({ length: shardCount }, () => noShard);
  let count = 0;
  let cleaning = 0;
  let cleanedAt = 0;

  const hashOf = ({ high, low }: AddressBlock): number =>
    mix(mix(high ^ (seeds[0] as number)) ^ low ^ (seeds[1] as number));

  const rebuild = (index: number, now: number, extra: number): Shard => {
    const old = shards[index] as Shard;
    let alive = 0;
    for (const time of old.times) if (time > now) alive += 1;
    const entries = alive + extra;
    const shard =
      entries === 0 ? noShard : newShard(Math.max(minShardSlots, 2 ** Math.ceil(Math.log2(entries * 2))));
    for (let slot = 0; slot < old.times.length; slot++) {
      const time = old.times[slot] as number;
      if (time <= now) continue;
      const client = { high: old.keys[slot * 2] as number, low: old.keys[slot * 2 + 1] as number };
      const free = find(shard, client, hashOf(client));
      occupy(shard, free, client, time);
    }
    count += shard.used - old.used;
    shards[index] = shard;
    return shard;
  };

  const clean = (now: number): void => {
    const due = Math.floor((now - cleanedAt) / (roundMs / shardCount));
    if (due <= 0) return;
    for (let done = 0; done < Math.min(due, maxShardsAtOnce); done++) {
      if ((shards[cleaning] as Shard).used > 0) rebuild(cleaning, now, 0);
      cleaning = (cleaning + 1) % shardCount;
    }
    // After a long pause, one whole round is enough.
    const remaining = Math.min(Math.max(0, due - maxShardsAtOnce), shardCount);
    cleanedAt = now - remaining * (roundMs / shardCount);
  };

  return {
    get: (client) => {
      const hash = hashOf(client);
      const shard = shards[shardOf(hash)] as Shard;
      return shard.times[find(shard, client, hash)] as number;
    },
    set: (client, time, now) => {
      clean(now);
      const hash = hashOf(client);
      const index = shardOf(hash);
      let shard = shards[index] as Shard;
      let slot = find(shard, client, hash);
      if (shard.times[slot] !== 0) {
        shard.times[slot] = time;
        return;
      }
      if ((shard.used + 1) * 4 > shard.times.length * 3) {
        shard = rebuild(index, now, 1);
        slot = find(shard, client, hash);
      }
      occupy(shard, slot, client, time);
      count += 1;
    },
    count: () => count,
  };
}

/** A shard without clients. It counts as full, so that the first client gets a real shard. */
const noShard = newShard(1);

function newShard(slots: number): Shard {
  return { keys: new Uint32Array(slots * 2), times: new Float64Array(slots), used: 0 };
}

/** The slot of a client, or the free slot for it. */
function find({ keys, times }: Shard, { high, low }: AddressBlock, hash: number): number {
  const mask = times.length - 1;
  let slot = hash & mask;
  while (times[slot] !== 0 && (keys[slot * 2] !== high || keys[slot * 2 + 1] !== low))
    slot = (slot + 1) & mask;
  return slot;
}

function occupy(shard: Shard, slot: number, { high, low }: AddressBlock, time: number): void {
  shard.keys[slot * 2] = high;
  shard.keys[slot * 2 + 1] = low;
  shard.times[slot] = time;
  shard.used += 1;
}

/** The upper bits select the shard, the lower bits the slot in it. */
function shardOf(hash: number): number {
  return hash >>> 22;
}

/** The finalizer of MurmurHash3 (Austin Appleby): every input bit affects every output bit. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
