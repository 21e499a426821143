import { loadPageSet, pageBytes, pageSetNames } from './sets.ts';

type Random = () => number;

/** Mulberry32: the same pages in every run. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const maxBytes = 4_000_000;

/** Real pages, each damaged one to four times: cut, spliced, repeated, sprinkled, robbed of tags' ends or quotes. */
export function* mutatedPages(count: number, seed = 6): Generator<{ url: string; bytes: Uint8Array }> {
  const random = createRandom(seed);
  const pick = (below: number): number => Math.floor(random() * below);
  const pages = pageSetNames.flatMap((set) => loadPageSet(set));
  const anyPage = () => pages[pick(pages.length)] as (typeof pages)[number];
  const mutations: readonly ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.subarray(0, pick(bytes.length)),
    (bytes) => bytes.subarray(pick(bytes.length)),
    (bytes) => {
      const other = Buffer.from(pageBytes(anyPage()));
      return Buffer.concat([bytes.subarray(0, pick(bytes.length)), other.subarray(pick(other.length))]);
    },
    (bytes) => {
      const from = pick(bytes.length);
      const piece = bytes.subarray(from, from + pick(2000));
      const times = Math.min(2000, Math.floor(maxBytes / (piece.length + 1)));
      return Buffer.concat([bytes.subarray(0, from), ...Array.from({ length: times }, () => piece)]);
    },
    (bytes) => {
      const damaged = Buffer.from(bytes);
      for (let n = 0; n < 200 && damaged.length > 0; n++) damaged[pick(damaged.length)] = pick(256);
      return damaged;
    },
    (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('</', '<'), 'latin1'),
    (bytes) => Buffer.from(bytes.toString('latin1').replace(/["']/g, ''), 'latin1'),
    (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('>', ''), 'latin1'),
  ];
  for (let n = 0; n < count; n++) {
    const page = anyPage();
    let bytes: Buffer = Buffer.from(pageBytes(page));
    for (let times = 1 + pick(4); times > 0; times--) {
      bytes = (mutations[pick(mutations.length)] as (typeof mutations)[number])(bytes).subarray(0, maxBytes);
    }
    yield { url: page.url, bytes };
  }
}
