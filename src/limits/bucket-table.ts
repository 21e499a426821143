import { randomBytes } from 'node:crypto';
import type { AddressBlock } from './address-block.ts';

export interface BucketTable {
  /** The time that is kept for a client; 0 when none is, or none any more. */
  get(client: AddressBlock): number;
  /** Keeps `time` for a client until it has passed. `now` and `time` are positive milliseconds of one clock. */
  set(client: AddressBlock, time: number, now: number): void;
  /** How many clients are kept. */
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
/** Every shard is looked through for times that have passed once in this time. */
const roundMs = 30_000;
/** But only so many of them at once, after a pause. */
const maxShardsAtOnce = 64;

/**
 * One time for each of very many clients, in 16 bytes a slot: about 35 MB for a million of them. A table of that size
 * would stand still while it grows, so it is a thousand small ones, each of which grows, shrinks and forgets what has
 * passed alone, in some microseconds. The hash is seeded: nobody can choose addresses that meet in one place.
 */
export function createBucketTable(): BucketTable {
  const seeds = new Uint32Array(new Uint8Array(randomBytes(8)).buffer);
  const shards: Shard[] = Array.from({ length: shardCount }, () => noShard);
  let count = 0;
  let cleaning = 0;
  let cleanedAt = 0;

  const hashOf = ({ high, low }: AddressBlock): number =>
    mix(mix(high ^ (seeds[0] as number)) ^ low ^ (seeds[1] as number));

  const rebuild = (at: number, now: number, extra: number): Shard => {
    const old = shards[at] as Shard;
    let alive = 0;
    for (const time of old.times) if (time > now) alive += 1;
    const wanted = alive + extra;
    const shard =
      wanted === 0 ? noShard : newShard(Math.max(minShardSlots, 2 ** Math.ceil(Math.log2(wanted * 2))));
    for (let slot = 0; slot < old.times.length; slot++) {
      const time = old.times[slot] as number;
      if (time <= now) continue;
      const client = { high: old.keys[slot * 2] as number, low: old.keys[slot * 2 + 1] as number };
      const free = find(shard, client, hashOf(client));
      occupy(shard, free, client, time);
    }
    count += shard.used - old.used;
    shards[at] = shard;
    return shard;
  };

  const clean = (now: number): void => {
    const due = Math.floor((now - cleanedAt) / (roundMs / shardCount));
    if (due <= 0) return;
    for (let done = 0; done < Math.min(due, maxShardsAtOnce); done++) {
      if ((shards[cleaning] as Shard).used > 0) rebuild(cleaning, now, 0);
      cleaning = (cleaning + 1) % shardCount;
    }
    // After a long pause one round is all there is to catch up with.
    const left = Math.min(Math.max(0, due - maxShardsAtOnce), shardCount);
    cleanedAt = now - left * (roundMs / shardCount);
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
      const at = shardOf(hash);
      let shard = shards[at] as Shard;
      let slot = find(shard, client, hash);
      if (shard.times[slot] !== 0) {
        shard.times[slot] = time;
        return;
      }
      if ((shard.used + 1) * 4 > shard.times.length * 3) {
        shard = rebuild(at, now, 1);
        slot = find(shard, client, hash);
      }
      occupy(shard, slot, client, time);
      count += 1;
    },
    count: () => count,
  };
}

/** Where there is no client yet; always full, so that the first one gets a real shard. */
const noShard = newShard(1);

function newShard(slots: number): Shard {
  return { keys: new Uint32Array(slots * 2), times: new Float64Array(slots), used: 0 };
}

/** The slot of a client, or the free one where it belongs. */
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

/** The upper bits choose the shard, the lower ones the slot in it. */
function shardOf(hash: number): number {
  return hash >>> 22;
}

/** The finaliser of MurmurHash3 (Austin Appleby): every bit of the input moves every bit of the output. */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
