import { createHash } from 'node:crypto';

/** The number of buckets of hosts. The machines that crawl share the buckets. */
export const hostBuckets = 256;

/** One of several machines that crawl, each with hosts of its own: the `number`th of `of`. */
export interface HostPart {
  readonly number: number;
  readonly of: number;
}

/** The bucket of the host of a URL (`URL.host`), 0 to 255: the first byte of its SHA-256. */
export function bucketOf(url: string): number {
  return createHash('sha256').update(new URL(url).host).digest()[0] as number;
}

/** The buckets of a part: from `first` to before `end`. The parts of a division share all buckets evenly. */
export function bucketRange({ number, of }: HostPart): { readonly first: number; readonly end: number } {
  return {
    first: Math.floor(((number - 1) * hostBuckets) / of),
    end: Math.floor((number * hostBuckets) / of),
  };
}

/** Whether the host of a URL belongs to a part; without a division, every host does. */
export function isOfPart(url: string, part: HostPart | undefined): boolean {
  if (!part) return true;
  const { first, end } = bucketRange(part);
  const bucket = bucketOf(url);
  return bucket >= first && bucket < end;
}
